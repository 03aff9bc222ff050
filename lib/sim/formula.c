// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"
#include "sim/formula.h"

struct reader {
	const struct sim_machine *m;
	const struct sim_pmu *pmu;
	const char *at;
	struct err *err;
};

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ' || isspace((unsigned char)*r->at))
		r->at++;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool read_number(struct reader *r, double *value)
{
	int n = num__scan_double(r->at, value);
	double factor;

	r->at += n;
	factor = *r->at == 'k' ? 1e3 : *r->at == 'M' ? 1e6 : *r->at == 'G' ? 1e9 : 0;
	if (n && factor > 0 && !is_name_char(r->at[1])) {
		*value *= factor;
		r->at++;
	}
	return n > 0;
}

static bool is_called(const struct sim_var *var, const char *name, size_t len)
{
	return *var->name == *name && !strncmp(var->name, name, len) && !var->name[len];
}

static const struct sim_var *find_var(const struct reader *r, const char *name, size_t len)
{
	const struct sim_var *var;

	if (r->pmu)
		vec__for_each(var, &r->pmu->vars)
			if (is_called(var, name, len))
				return var;
	vec__for_each(var, &r->m->vars)
		if (is_called(var, name, len))
			return var;
	return NULL;
}

static int multiply_by_factor(struct reader *r, double product[SIM_MAX_PHASES])
{
	const char *start;
	const struct sim_var *var;
	double number;

	skip_blanks(r);
	if (read_number(r, &number)) {
		for (int i = 0; i < r->m->nr_phases; i++)
			product[i] *= number;
		return 0;
	}
	for (start = r->at; is_name_char(*r->at);)
		r->at++;
	if (r->at == start)
		return err__set(r->err, EINVAL, "a number or a name is missing before '%s'", start);
	var = find_var(r, start, r->at - start);
	if (!var)
		return err__set(r->err, EINVAL, "'%.*s' has not been set by a let line above",
				(int)(r->at - start), start);
	for (int i = 0; i < r->m->nr_phases; i++)
		product[i] *= var->value[i];
	return 0;
}

static int add_product(struct reader *r, double sign, double sum[SIM_MAX_PHASES])
{
	double product[SIM_MAX_PHASES];

	for (int i = 0; i < SIM_MAX_PHASES; i++)
		product[i] = sign;
	for (;;) {
		int rc = multiply_by_factor(r, product);

		if (rc)
			return rc;
		skip_blanks(r);
		if (*r->at != '*')
			break;
		r->at++;
	}
	for (int i = 0; i < r->m->nr_phases; i++)
		sum[i] += product[i];
	return 0;
}

static int read_sum(struct reader *r, double out[SIM_MAX_PHASES])
{
	double sign = 1.0;

	memset(out, 0, SIM_MAX_PHASES * sizeof(*out));
	for (;;) {
		int rc = add_product(r, sign, out);

		if (rc || !*r->at)
			return rc;
		if (*r->at != '+' && *r->at != '-')
			return err__set(r->err, EINVAL, "+, - or * is missing before '%s'", r->at);
		sign = *r->at++ == '-' ? -1.0 : 1.0;
	}
}

/* "1 2 3 4": returns how many numbers the text is, 0 when it is something else. */
static int read_list(struct reader *r, double out[SIM_MAX_PHASES])
{
	int nr = 0;

	for (skip_blanks(r); *r->at; skip_blanks(r)) {
		if (nr == SIM_MAX_PHASES || !read_number(r, &out[nr]))
			return 0;
		if (*r->at && !isspace((unsigned char)*r->at))
			return 0;
		nr++;
	}
	return nr;
}

int formula__eval(const struct sim_machine *m, const struct sim_pmu *pmu, const char *text,
		  double out[SIM_MAX_PHASES], struct err *err)
{
	struct reader r = { .m = m, .pmu = pmu, .at = text, .err = err };
	double list[SIM_MAX_PHASES];
	int nr = read_list(&r, list);

	if (nr <= 1) {
		r.at = text;
		return read_sum(&r, out);
	}
	if (nr != m->nr_phases)
		return err__set(err, EINVAL, "%d values for %d phases", nr, m->nr_phases);
	memset(out, 0, SIM_MAX_PHASES * sizeof(*out));
	memcpy(out, list, nr * sizeof(*out));
	return 0;
}

int formula__to_rate(const struct sim_machine *m, const double per_second[SIM_MAX_PHASES],
		     struct sim_rate *rate, struct err *err)
{
	memset(rate, 0, sizeof(*rate));
	for (int i = 0; i < m->nr_phases; i++) {
		if (!(per_second[i] >= 0 && per_second[i] <= 1e13))
			return err__set(err, ERANGE, "%g events a second in phase %d", per_second[i],
					i + 1);
		rate->per_ns[i] = llround(per_second[i] / 1e9 * (1ULL << SIM_RATE_SHIFT));
	}
	return 0;
}
