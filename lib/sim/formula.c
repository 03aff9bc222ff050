// SPDX-License-Identifier: GPL-2.0-only
/* Parse quantities of the counting model: "0.3*slots + 2M - waste" has a value for each column. */
#include <ctype.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "sim/file_reader.h"
#include "sim/rate.h"

static void formula__skip_blanks(const char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool formula__read_number(const char **at, double *value)
{
	int n = num__scan_double(*at, value);
	double factor;

	*at += n;
	factor = **at == 'k' ? 1e3 : **at == 'M' ? 1e6 : **at == 'G' ? 1e9 : 0;
	if (n && factor > 0 && !is_name_char((*at)[1])) {
		*value *= factor;
		(*at)++;
	}
	return n > 0;
}

static bool is_called(const struct sim_var *var, const char *name, size_t len)
{
	return *var->name == *name && text__is(name, len, var->name);
}

/* Find a quantity by its name. Quantities of the PMU override those of the machine. */
static const struct sim_var *find_var(const struct file_reader *r, const char *name, size_t len)
{
	const struct sim_var *own = NULL;

	if (r->pmu)
		own = vec__find(v, &r->pmu->vars, is_called(v, name, len));
	return own ? own : vec__find(v, &r->m->vars, is_called(v, name, len));
}

static void multiply_by_factor(struct file_reader *r, const char **at,
			       double product[SIM_MAX_COLUMNS])
{
	const char *start;
	const struct sim_var *var;
	double number;

	formula__skip_blanks(at);
	if (formula__read_number(at, &number)) {
		for (int i = 0; i < sim_machine__nr_columns(r->m); i++)
			product[i] *= number;
		return;
	}
	for (start = *at; is_name_char(**at);)
		(*at)++;
	if (*at == start)
		file_reader__fail(r, EINVAL, "a number or a name is missing before '%s'", start);
	var = find_var(r, start, *at - start);
	if (!var)
		file_reader__fail(r, EINVAL, "'%.*s' has not been set by a let line above",
				  (int)(*at - start), start);
	for (int i = 0; var && i < sim_machine__nr_columns(r->m); i++)
		product[i] *= var->value[i];
}

static void add_product(struct file_reader *r, const char **at, double sign,
			double sum[SIM_MAX_COLUMNS])
{
	double product[SIM_MAX_COLUMNS];

	for (int i = 0; i < sim_machine__nr_columns(r->m); i++)
		product[i] = sign;
	for (;;) {
		multiply_by_factor(r, at, product);
		formula__skip_blanks(at);
		if (**at != '*')
			break;
		(*at)++;
	}
	for (int i = 0; i < sim_machine__nr_columns(r->m); i++)
		sum[i] += product[i];
}

static void read_sum(struct file_reader *r, const char *at, double out[SIM_MAX_COLUMNS])
{
	double sign = 1.0;

	memset(out, 0, SIM_MAX_COLUMNS * sizeof(*out));
	for (;;) {
		add_product(r, &at, sign, out);
		if (r->rc || !*at)
			return;
		if (*at != '+' && *at != '-')
			file_reader__fail(r, EINVAL, "+, - or * is missing before '%s'", at);
		sign = *at++ == '-' ? -1.0 : 1.0;
	}
}

/* Read "1 2 3 4". Return: how many numbers there are; 0 if the text is not a list of numbers. */
static int read_list(const char *at, double out[SIM_MAX_COLUMNS])
{
	int nr = 0;

	for (formula__skip_blanks(&at); *at; formula__skip_blanks(&at)) {
		if (nr == SIM_MAX_COLUMNS || !formula__read_number(&at, &out[nr]))
			return 0;
		if (*at && !isspace((unsigned char)*at))
			return 0;
		nr++;
	}
	return nr;
}

/*
 * Give the columns of places the value of the first phase: a list only has a number for each phase.
 */
static void fill_places(struct file_reader *r, double value[SIM_MAX_COLUMNS])
{
	int nr_phases = r->m->phases.stays.nr;

	for (int i = nr_phases; i < sim_machine__nr_columns(r->m); i++)
		value[i] = value[0];
}

void file_reader__values(struct file_reader *r, const char *text, double value[SIM_MAX_COLUMNS])
{
	int nr = r->rc ? 0 : read_list(text, value), nr_phases = r->m->phases.stays.nr;

	if (nr <= 1)
		read_sum(r, text, value);
	else if (nr != nr_phases)
		file_reader__fail(r, EINVAL, "%d values for %d phases", nr, nr_phases);
	else
		fill_places(r, value);
}

void file_reader__rate(struct file_reader *r, const char *text, struct sim_rate *rate)
{
	double value[SIM_MAX_COLUMNS];

	file_reader__values(r, text, value);
	for (int i = 0; !r->rc && i < sim_machine__nr_columns(r->m); i++) {
		const struct sim_section *section = sim_machine__section(r->m, i);

		if (value[i] >= 0 && value[i] <= 1e13)
			continue;
		if (section)
			file_reader__fail(r, ERANGE, "%g events a second at %s", value[i],
					  section->name);
		else
			file_reader__fail(r, ERANGE, "%g events a second in phase %d", value[i],
					  i + 1);
	}
	rate__of_seconds(r->m, value, rate);
}

void file_reader__let(struct file_reader *r)
{
	struct sim_var var = { .name = file_reader__copy(r, file_reader__word(r, "name")) };

	file_reader__values(r, file_reader__rest(r, "value"), var.value);
	file_at__values(r, var.name, var.value);
	if (r->pmu)
		file_reader__push(r, &r->pmu->vars, var);
	else
		file_reader__push(r, &r->m->vars, var);
}
