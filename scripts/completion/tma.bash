# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# bash completion of tma. All candidates come from the program itself, so that they fit this machine,
# or the one given with --machine.

# Run the program with the options that precede the subcommand (_tma_global) and these words.
_tma_ask()
{
	"${_tma_program}" "${_tma_global[@]}" "$@" 2>/dev/null </dev/null
}

# Print the lines of "--list-options" of the subcommand $1 ("list", "stat report") or of the program: five
# fields between tabs, which cmd/options.h describes.
_tma_lines()
{
	# shellcheck disable=SC2086 # two words may name a subcommand
	_tma_ask $1 --list-options
}

# Print the long options of a subcommand, a line each.
_tma_options()
{
	_tma_lines "$1" | awk -F'\t' '$1 == "option" && $2 ~ /^--/ { print $2 }'
}

# Print the options of a subcommand that take a value, long and short ("-e", "--event"), a line
# each.
_tma_with_value()
{
	_tma_lines "$1" | awk -F'\t' '$1 == "option" && $3 == "required" { print $2 }'
}

# Print the possible values of option $1: words; those with a '@' mean lists, see _tma_expand.
_tma_choices()
{
	_tma_lines "$_tma_command" | awk -F'\t' -v option="$1" '$1 == "option" && $2 == option { print $4; exit }'
}

# Print event names; also those with slashes, "cpu/L1-dcache-loads/", if the word has one. The raw
# dump has the short names of the kernel's own events ("cycles", "cs").
_tma_events()
{
	_tma_ask list --names event
	_tma_ask list --raw-dump hw sw | tr ' ' '\n'
	case $1 in
	*/*) _tma_ask list --raw-dump pmu cache | tr ' ' '\n' ;;
	esac
}

_tma_metrics()
{
	_tma_ask list --names metric
	_tma_ask list --names metricgroup
}

# Print the names of PMUs: those of events with slashes, and of sysfs.
_tma_pmus()
{
	_tma_ask list -j pmu | sed -n 's/^\t"Unit": "\([^"]*\)".*/\1/p' | sort -u
}

# Print the candidates for words of --list-options, a line each.
_tma_expand()
{
	local word

	for word in $1; do
		case $word in
		@event) _tma_events "$_tma_word" ;;
		@metric) _tma_metrics ;;
		@pmu) _tma_pmus ;;
		@pid) (cd /proc && printf '%s\n' [0-9]*) ;;
		@command) compgen -c -- "$_tma_word" ;;
		@file) compgen -f -- "$_tma_word" ;;
		@directory) compgen -d -- "$_tma_word" ;;
		*) echo "$word" ;;
		esac
	done
}

# _tma_words SOURCE ARG [list]: offer the lines of SOURCE that begin with the word, ignoring case. In a list
# the word is the text after the last ',' '{' or '}'; in a metric's definition, "NAME = EXPRESSION", after the
# last operator. readline replaces only the text after its own last break (':', '=') or the quote.
_tma_words()
{
	local word=$_tma_word head='' cut=0 i

	if [[ ${3-} == list ]]; then
		head=${word%"${word##*[,\{\}]}"}
		[[ $2 != @metric || $word != *=* ]] || head=${word%"${word##*[!A-Za-z0-9_.]}"}
		compopt -o nospace 2>/dev/null
	fi
	word=$_tma_attached$word head=$_tma_attached$head
	for ((i = 0; i < ${#word}; i++)); do
		[[ -z $_tma_quote && $COMP_WORDBREAKS == *"${word:i:1}"* ]] && cut=$((i + 1))
	done
	mapfile -t COMPREPLY < <("$1" "${2-}" | STEM=${word#"$head"} HEAD=$head awk -v cut="$cut" '
		BEGIN { stem = tolower(ENVIRON["STEM"]); head = ENVIRON["HEAD"] }
		$0 != "" && index(tolower($0), stem) == 1 && !seen[$0]++ { print substr(head $0, cut + 1) }')
}

# _tma_offer WORD ...: offer the candidates of words of --list-options; if it is files only,
# readline completes them.
_tma_offer()
{
	local words=$* list=

	case $words in
	'') return ;;
	@file) compopt -o default 2>/dev/null; return ;;
	@directory) compopt -o dirnames 2>/dev/null; return ;;
	*@file* | *@directory*) compopt -o filenames 2>/dev/null ;;
	@event | @metric) list=list ;;
	esac
	_tma_words _tma_expand "$words" $list
}

# Complete the value of option $1.
_tma_value()
{
	# shellcheck disable=SC2046 # words
	_tma_offer $(_tma_choices "$1")
}

# Split the line at blanks outside of quotes, as readline splits at ':' and '=' as well. The last word
# may have an open quote.
_tma_split()
{
	local line=${COMP_LINE:0:COMP_POINT} char i word=''

	for ((i = 0; i < ${#line}; i++)); do
		char=${line:i:1}
		if [[ -n $_tma_quote ]]; then
			[[ $char == "$_tma_quote" ]] && _tma_quote='' || word+=$char
		elif [[ $char == [\'\"] ]]; then
			_tma_quote=$char
		elif [[ $char != [[:space:]] ]]; then
			word+=$char
		elif [[ ${line:i-1:1} != [[:space:]] ]]; then
			_tma_line+=("$word")
			word=''
		fi
	done
	_tma_line+=("$word")
	_tma_word=$word
}

# Take the options before the subcommand. Sets _tma_at to the subcommand's position, or to that of
# the last word.
_tma_globals()
{
	local i

	_tma_global=()
	for ((i = 1; i < ${#_tma_line[@]} - 1; i++)); do
		case ${_tma_line[i]} in
		--machine | --tables)
			# Its value is still being typed.
			((i + 1 < ${#_tma_line[@]} - 1)) || { _tma_option=${_tma_line[i]}; break; }
			_tma_global+=("${_tma_line[i]}" "${_tma_line[i + 1]}")
			i=$((i + 1))
			;;
		-*) _tma_global+=("${_tma_line[i]}") ;;
		*) break ;;
		esac
	done
	_tma_at=$i
}

# Complete a word after the subcommand: an option, the value of one, or another word.
_tma_in_command()
{
	local command=${_tma_line[_tma_at]} last=$((${#_tma_line[@]} - 1)) i takes word

	if [[ $command == stat && ${_tma_line[_tma_at + 1]} == @(record|report) ]] && ((_tma_at + 1 < last)); then
		_tma_at=$((_tma_at + 1))
		command="stat ${_tma_line[_tma_at]}"
	fi
	_tma_command=$command
	takes=$(_tma_with_value "$command")
	takes=" ${takes//$'\n'/ } "
	# The first word that is neither an option nor a value of one begins the workload.
	for ((i = _tma_at + 1; i < last; i++)); do
		word=${_tma_line[i]}
		if [[ $word == -- ]] || { [[ $word != -* ]] && [[ $command == @(stat|plan|why|"stat record") ]]; }; then
			[[ $word == -- ]] && i=$((i + 1))
			_tma_offset "$i"
			return
		fi
		[[ $word == *=* || $takes != *" $word "* ]] && continue
		if ((i + 1 == last)); then
			_tma_value "$word"
			return
		fi
		i=$((i + 1))
	done
	case $_tma_word in
	--*=*)
		word=${_tma_word%%=*}
		_tma_word=${_tma_word#*=}
		_tma_value "$word"
		return
		;;
	-[eM]?*)
		_tma_attached=${_tma_word:0:2}
		_tma_word=${_tma_word:2}
		_tma_value "$_tma_attached"
		return
		;;
	-*)
		_tma_words _tma_options "$command"
		return
		;;
	esac
	word=$(_tma_lines "$command" | awk -F'\t' '$1 == "words" { print $4 }')
	[[ $command != 'stat record' ]] || word=@command
	# If words of tma begin with the text, the many commands that do so are not offered.
	if [[ -n $_tma_word && $word == *@command* ]]; then
		# shellcheck disable=SC2086 # words
		_tma_offer ${word/@command/}
		((${#COMPREPLY[@]} == 0)) || return
	fi
	# shellcheck disable=SC2086 # words
	_tma_offer $word
}

# Complete the workload as that command completes by itself, if bash-completion is installed.
_tma_offset()
{
	local i=0 skip=$1 seen=0

	if ((skip == ${#_tma_line[@]} - 1)); then
		_tma_offer @command
		return
	fi
	for ((i = 0; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == "${_tma_line[skip]}" ]] && { seen=$i; break; }
	done
	if declare -F _command_offset >/dev/null && ((seen)); then
		_command_offset "$seen"
	else
		compopt -o default 2>/dev/null
	fi
}

_tma_global_words()
{
	# After --version, only --tables is possible.
	if [[ " ${_tma_global[*]} " == *' --version '* ]]; then
		echo --tables
		return
	fi
	_tma_lines '' | awk -F'\t' '$2 ~ /^[a-z]|^--/ { print $2 }'
}

_tma()
{
	local _tma_program=$1 _tma_word='' _tma_option='' _tma_at=1 _tma_quote='' _tma_attached=''
	local _tma_command=''
	local -a _tma_line=() _tma_global=()

	COMPREPLY=()
	_tma_split
	_tma_globals
	if [[ -n $_tma_option ]]; then
		_tma_value "$_tma_option"
	elif ((_tma_at >= ${#_tma_line[@]} - 1)); then
		case $_tma_word in
		--*=*)
			_tma_option=${_tma_word%%=*}
			_tma_word=${_tma_word#*=}
			_tma_value "$_tma_option"
			;;
		*) _tma_words _tma_global_words ;;
		esac
	else
		_tma_in_command
	fi
}

complete -F _tma tma
