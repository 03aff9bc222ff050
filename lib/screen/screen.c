// SPDX-License-Identifier: GPL-2.0-only
#include "screen/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "screen/canvas.h"
#include "screen/terminfo.h"

#define DEFAULT_WIDTH 80
#define DEFAULT_HEIGHT 24
#define WIDTH_MAX 2000 /* greatest width that is used, even if the terminal reports a larger one */
#define HEIGHT_MAX 1000
#define SHORT_GAP 6    /* to rewrite up to this many unchanged columns is shorter than a move */
#define SEQUENCE_MS 50 /* longest time between the bytes of one key */
#define INPUT_BYTES 256
#define CRASH_STACK 65536

/*
 * Signals that kill the program, after a fault, at a limit of time, or since it has no handler. The
 * terminal is restored first.
 */
static const int crashes[] = {SIGSEGV, SIGBUS,	SIGILL, SIGFPE,	   SIGABRT, SIGSYS, SIGTRAP,
			      SIGXCPU, SIGPROF, SIGIO,	SIGVTALRM, SIGUSR2, SIGPWR, SIGSTKFLT};
/* Signals that change the screen. */
static const int changes[] = {SIGWINCH, SIGTSTP, SIGCONT};

/**
 * struct screen - the terminal, while it shows canvases
 * @fd:     descriptor of the terminal; @events: descriptor that can be read when there is something
 *          to do
 * @before: former modes of the terminal; @shown: the canvas that it shows
 * @shown_all: @shown is what the terminal shows; else everything must be drawn again
 * @input, @nr_input: bytes that were typed and are not a whole key yet
 * @redraw: the next key is KEY_REDRAW; @lost: the terminal was closed
 */
struct screen {
	int fd, events;
	struct terminfo info;
	struct termios before;
	struct canvas shown;
	bool shown_all, redraw, lost;
	unsigned char input[INPUT_BYTES];
	int nr_input;
	struct sb text;
	struct sigaction old_crashes[array__nr(crashes)], old_changes[array__nr(changes)];
};

/*
 * State for signal handlers. There is only one terminal.
 * @leave: the sequence that restores the terminal; @fd: descriptor of the terminal; -1: nothing to
 *         restore
 * @stderr_fd: the original standard error while messages are kept off the screen; else -1
 */
static struct {
	volatile sig_atomic_t fd, stopped, changed;
	int pipe[2], stderr_fd;
	const char *leave;
	size_t leave_len;
	struct termios before;
} taken = {.fd = -1, .stderr_fd = -1};

void screen__restore(void)
{
	int fd = taken.fd, saved = errno;

	if (fd < 0)
		return;
	taken.fd = -1;
	(void)!write(fd, taken.leave, taken.leave_len);
	tcsetattr(fd, TCSANOW, &taken.before);
	if (taken.stderr_fd >= 0)
		dup2(taken.stderr_fd, STDERR_FILENO);
	errno = saved;
}

void screen__keep_stderr(int fd)
{
	taken.stderr_fd = fd;
}

static void crash(int signal)
{
	screen__restore();
	/* The default action, which SA_RESETHAND restored, kills the program. */
	raise(signal);
}

static void note(int signal)
{
	int saved = errno;

	if (signal == SIGTSTP)
		taken.stopped = 1;
	else
		taken.changed = 1;
	(void)!write(taken.pipe[1], "", 1);
	errno = saved;
}

static void take_signals(struct screen *s)
{
	/* After a stack overflow, a handler needs another stack. */
	static char room[CRASH_STACK];
	const stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};
	struct sigaction fatal = {.sa_handler = crash,
				  .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
	struct sigaction change = {.sa_handler = note, .sa_flags = SA_RESTART};

	sigaltstack(&stack, NULL);
	for (int i = 0; i < array__nr(crashes); i++) {
		sigaction(crashes[i], &fatal, &s->old_crashes[i]);
		if (s->old_crashes[i].sa_handler == SIG_IGN)
			sigaction(crashes[i], &s->old_crashes[i], NULL);
	}
	for (int i = 0; i < array__nr(changes); i++)
		sigaction(changes[i], &change, &s->old_changes[i]);
}

static void give_signals_back(const struct screen *s)
{
	for (int i = 0; i < array__nr(crashes); i++)
		sigaction(crashes[i], &s->old_crashes[i], NULL);
	for (int i = 0; i < array__nr(changes); i++)
		sigaction(changes[i], &s->old_changes[i], NULL);
}

/*
 * Set the terminal's modes: keys are read one by one and not echoed; ^C and ^Z still send signals.
 */
static void screen__enter(struct screen *s)
{
	struct termios raw = s->before;

	raw.c_iflag &= ~(ICRNL | IXON);
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(s->fd, TCSADRAIN, &raw);
	taken.fd = s->fd;
	sb__clear(&s->text);
	sb__puts(&s->text, s->info.enter);
	file__write_any(s->fd, sb__str(&s->text), s->text.len);
	s->shown_all = false;
}

static int screen__watch(struct screen *s, struct err *err)
{
	struct epoll_event in = {.events = EPOLLIN};

	if (pipe2(taken.pipe, O_CLOEXEC | O_NONBLOCK))
		return err__set(err, errno, "pipe: %s", strerror(errno));
	s->events = epoll_create1(EPOLL_CLOEXEC);
	if (s->events < 0 || epoll_ctl(s->events, EPOLL_CTL_ADD, s->fd, &in) ||
	    epoll_ctl(s->events, EPOLL_CTL_ADD, taken.pipe[0], &in))
		return err__set(err, errno, "cannot wait for the terminal: %s",
				strerror(errno));
	return 0;
}

static int open_terminal(struct screen *s, bool colour, struct err *err)
{
	int rc;

	s->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (s->fd < 0 || !isatty(STDOUT_FILENO) || tcgetattr(s->fd, &s->before))
		return err__set(
			err, ENOTTY,
			"standard output is not a terminal: -b prints a table for each interval");
	rc = terminfo__load(&s->info, s->fd, colour, err);
	return rc ?: screen__watch(s, err);
}

int screen__open(struct screen **out, bool colour, struct err *err)
{
	struct screen *s = xcalloc(1, sizeof(*s));
	int rc;

	s->events = -1;
	taken.pipe[0] = taken.pipe[1] = -1;
	rc = open_terminal(s, colour, err);
	if (rc) {
		screen__close(s);
		return rc;
	}
	taken.leave = s->info.leave;
	taken.leave_len = strlen(s->info.leave);
	taken.before = s->before;
	take_signals(s);
	screen__enter(s);
	*out = s;
	return 0;
}

static void close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

void screen__close(struct screen *s)
{
	if (!s)
		return;
	if (taken.fd >= 0) {
		screen__restore();
		give_signals_back(s);
	}
	terminfo__free(&s->info);
	canvas__free(&s->shown);
	sb__free(&s->text);
	close_one(s->events);
	close_one(taken.pipe[0]);
	close_one(taken.pipe[1]);
	close_one(s->fd);
	free(s);
}

int screen__fd(const struct screen *s)
{
	return s->events;
}

bool screen__lost(const struct screen *s)
{
	return s->lost;
}

void screen__size(const struct screen *s, int *width, int *height)
{
	struct winsize size;

	*width = DEFAULT_WIDTH;
	*height = DEFAULT_HEIGHT;
	if (!ioctl(s->fd, TIOCGWINSZ, &size) && size.ws_col && size.ws_row) {
		*width = size.ws_col < WIDTH_MAX ? size.ws_col : WIDTH_MAX;
		*height = size.ws_row < HEIGHT_MAX ? size.ws_row : HEIGHT_MAX;
	}
}

/* --- Keys ------------------------------------------------------------------------------------ */

/*
 * Handle changes: while the process was stopped, the terminal's modes and contents may have
 * changed.
 */
static void take_changes(struct screen *s)
{
	char bytes[64];

	if (taken.stopped) {
		taken.stopped = 0;
		screen__restore();
		raise(SIGSTOP);
		taken.changed = 1;
	}
	/* The handler of SIGCONT also wrote to the pipe. */
	while (read(taken.pipe[0], bytes, sizeof(bytes)) > 0)
		;
	if (taken.changed) {
		taken.changed = 0;
		screen__enter(s);
		s->redraw = true;
	}
}

/* Wait for the rest of a sequence, and read all bytes that have come. */
static void read_input(struct screen *s, int timeout_ms)
{
	struct pollfd in = {.fd = s->fd, .events = POLLIN};
	ssize_t n;

	if (s->nr_input >= INPUT_BYTES || poll(&in, 1, timeout_ms) <= 0)
		return;
	n = read(s->fd, s->input + s->nr_input, INPUT_BYTES - s->nr_input);
	if (n > 0)
		s->nr_input += n;
	else if (!n || (errno != EINTR && errno != EAGAIN))
		s->lost = true;
}

static int take_bytes(struct screen *s, int nr, int key)
{
	s->nr_input -= nr;
	memmove(s->input, s->input + nr, s->nr_input);
	return key;
}

/* Return: the length of an unknown sequence, which ends with a letter. */
static int unknown_length(const struct screen *s)
{
	int i = 2;

	while (i < s->nr_input && s->input[i] < '@')
		i++;
	return i < s->nr_input ? i + 1 : s->nr_input;
}

static int find_key(struct screen *s)
{
	for (int i = 0; i < s->info.nr_keys; i++) {
		const char *sends = s->info.keys[i].sends;
		int len = strlen(sends);

		if (len <= s->nr_input && !memcmp(sends, s->input, len))
			return take_bytes(s, len, s->info.keys[i].key);
	}
	if (s->input[0] != KEY_ESCAPE || s->nr_input == 1)
		return take_bytes(s, 1, s->input[0] == '\n' ? KEY_ENTER : s->input[0]);
	/* In application mode "ESC O" begins a sequence instead of "ESC [". */
	if (s->input[1] == 'O' && s->nr_input > 2) {
		s->input[1] = '[';
		return find_key(s);
	}
	return s->input[1] == '[' ? take_bytes(s, unknown_length(s), KEY_OTHER)
				  : take_bytes(s, 2, KEY_OTHER);
}

int screen__key(struct screen *s)
{
	if (taken.stopped || taken.changed)
		take_changes(s);
	if (s->redraw) {
		s->redraw = false;
		return KEY_REDRAW;
	}
	if (!s->nr_input)
		read_input(s, 0);
	if (!s->nr_input)
		return KEY_NONE;
	for (int before = -1;
	     s->input[0] == KEY_ESCAPE && s->nr_input < 3 && before != s->nr_input;) {
		before = s->nr_input;
		read_input(s, SEQUENCE_MS);
	}
	return find_key(s);
}

/* --- Showing --------------------------------------------------------------------------------- */

static bool screen__same(const struct canvas_cell *a, const struct canvas_cell *b)
{
	return a->style == b->style && !strcmp(a->text, b->text);
}

static bool is_blank(const struct canvas_cell *c)
{
	return c->style == STYLE_PLAIN && !strcmp(c->text, " ");
}

static void screen__put_cell(struct screen *s, const struct canvas_cell *c, int *style)
{
	if (c->style != *style) {
		sb__puts(&s->text, s->info.normal);
		sb__puts(&s->text, s->info.styles[c->style]);
		*style = c->style;
	}
	sb__puts(&s->text, c->text);
}

/* Append the changes from the line that is shown to the line of @c. */
static void screen__put_line(struct screen *s, const struct canvas *c, int row, int *style)
{
	const struct canvas_cell *now = &c->at[row * c->width];
	struct canvas_cell *was = &s->shown.at[row * c->width];
	int end = c->width, at = -1;

	/* On some terminals a character in the last column of the last line scrolls the screen. */
	if (row == c->height - 1)
		end--;
	while (end && is_blank(&now[end - 1]) && *s->info.clear_line)
		end--;
	for (int i = 0; i < end; i++) {
		if (screen__same(&now[i], &was[i]))
			continue;
		/* The second half of a wide character is written with the first. */
		while (i && !*now[i].text)
			i--;
		if (at < 0 || i - at > SHORT_GAP)
			terminfo__put_move(&s->info, row, i, &s->text);
		else
			i = at;
		screen__put_cell(s, &now[i], style);
		while (i + 1 < end && !*now[i + 1].text)
			i++;
		at = i + 1;
	}
	for (int i = end; i < c->width; i++) {
		if (is_blank(&was[i]) || row * c->width + i == c->width * c->height - 1)
			continue;
		if (at != end)
			terminfo__put_move(&s->info, row, end, &s->text);
		sb__puts(&s->text, s->info.normal);
		*style = STYLE_PLAIN;
		sb__puts(&s->text, s->info.clear_line);
		break;
	}
	memcpy(was, now, c->width * sizeof(*was));
}

size_t screen__show(struct screen *s, const struct canvas *c)
{
	int style = -1;

	sb__clear(&s->text);
	if (!s->shown_all || s->shown.width != c->width || s->shown.height != c->height) {
		canvas__resize(&s->shown, c->width, c->height);
		sb__puts(&s->text, s->info.normal);
		sb__puts(&s->text, s->info.clear);
		s->shown_all = true;
	}
	for (int row = 0; row < c->height; row++)
		screen__put_line(s, c, row, &style);
	if (style > STYLE_PLAIN)
		sb__puts(&s->text, s->info.normal);
	if (s->text.len && file__write_any(s->fd, sb__str(&s->text), s->text.len))
		s->lost = true;
	return s->text.len;
}
