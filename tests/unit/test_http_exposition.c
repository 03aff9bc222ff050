// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/sb.h"
#include "http/exposition.h"
#include "http/libraries.h"
#include "unit.h"

#if HTTP_IS_BUILT

START_TEST(open_metrics_if_the_client_prefers_it)
{
	ck_assert(!accepts__open_metrics(NULL));
	ck_assert(!accepts__open_metrics("*/*"));
	ck_assert(!accepts__open_metrics("text/plain"));
	ck_assert(accepts__open_metrics("application/openmetrics-text"));
	ck_assert(accepts__open_metrics("application/openmetrics-text;version=1.0.0;q=0.8,"
					"application/openmetrics-text;version=0.0.1;q=0.75,"
					"text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
	ck_assert(!accepts__open_metrics("application/openmetrics-text;version=0.0.1"));
	ck_assert(!accepts__open_metrics("application/openmetrics-text;q=0.2, text/plain;q=0.9"));
	ck_assert(!accepts__open_metrics("application/openmetrics-text;q=0"));
	ck_assert(!accepts__open_metrics(";,q=;;,,"));
}
END_TEST

START_TEST(gzip_if_the_client_accepts_it)
{
	ck_assert(!accepts__gzip(NULL));
	ck_assert(accepts__gzip("gzip"));
	ck_assert(accepts__gzip("deflate, GZIP;q=0.5"));
	ck_assert(accepts__gzip("*"));
	ck_assert(!accepts__gzip("*, gzip;q=0"));
	ck_assert(!accepts__gzip("gzip;q=0.000"));
	ck_assert(!accepts__gzip("identity"));
	ck_assert(!accepts__gzip("gzipped"));
}
END_TEST

START_TEST(families_have_other_names_in_open_metrics)
{
	struct sb to = SB_INIT;

	open_metrics__put("# HELP tma_info Of it.\n# TYPE tma_info gauge\ntma_info{a=\"b\"} 1\n"
			 "# HELP tma_x_total Of them.\n# TYPE tma_x_total counter\ntma_x_total 3\n"
			 "# TYPE tma_y gauge\ntma_y 0.5\n", &to);
	ck_assert_str_eq(sb__str(&to),
			 "# HELP tma Of it.\n# TYPE tma info\ntma_info{a=\"b\"} 1\n"
			 "# HELP tma_x Of them.\n# TYPE tma_x counter\ntma_x_total 3\n"
			 "# TYPE tma_y gauge\ntma_y 0.5\n# EOF\n");
	sb__free(&to);
}
END_TEST

TMA_TEST_MAIN(http_exposition, open_metrics_if_the_client_prefers_it, gzip_if_the_client_accepts_it,
	      families_have_other_names_in_open_metrics)

#else

int main(void)
{
	puts("SKIP http_exposition: headers are missing");
	return 77;
}

#endif
