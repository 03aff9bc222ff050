// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "json/fields.h"

const char *const fields[NR_FIELDS] = {
	[F_AGGREGATION] = "AggregationMode",
	[F_ANY_THREAD] = "AnyThread",
	[F_ARCH_STD] = "ArchStdEvent",
	[F_BRIEF] = "BriefDescription",
	[F_COMPAT] = "Compat",
	[F_CONFIG_CODE] = "ConfigCode",
	[F_COUNTER] = "Counter",
	[F_COUNTER_MASK] = "CounterMask",
	[F_DATA_LA] = "Data_LA",
	[F_DEFAULT_GROUP] = "DefaultMetricgroupName",
	[F_DEPRECATED] = "Deprecated",
	[F_EDGE] = "EdgeDetect",
	[F_EN_ALL_CORES] = "EnAllCores",
	[F_EN_ALL_SLICES] = "EnAllSlices",
	[F_ERRATA] = "Errata",
	[F_EVENT_CODE] = "EventCode",
	[F_EVENT_NAME] = "EventName",
	[F_EVENTID_CODE] = "EventidCode",
	[F_EXT_SEL] = "ExtSel",
	[F_FC_MASK] = "FCMask",
	[F_FILTER] = "Filter",
	[F_INVERT] = "Invert",
	[F_CONSTRAINT] = "MetricConstraint",
	[F_EXPR] = "MetricExpr",
	[F_GROUPS] = "MetricGroup",
	[F_NO_GROUP] = "MetricgroupNoGroup",
	[F_METRIC] = "MetricName",
	[F_THRESHOLD] = "MetricThreshold",
	[F_MSR_INDEX] = "MSRIndex",
	[F_MSR_VALUE] = "MSRValue",
	[F_NODE_TYPE] = "NodeType",
	[F_PEBS] = "PEBS",
	[F_PER_PKG] = "PerPkg",
	[F_PORT_MASK] = "PortMask",
	[F_PUBLIC] = "PublicDescription",
	[F_RD_WR_MASK] = "RdWrMask",
	[F_RETIRE_MAX] = "RetirementLatencyMax",
	[F_RETIRE_MEAN] = "RetirementLatencyMean",
	[F_RETIRE_MIN] = "RetirementLatencyMin",
	[F_SAMPLE_AFTER] = "SampleAfterValue",
	[F_SCALE_UNIT] = "ScaleUnit",
	[F_SLICE_ID] = "SliceId",
	[F_TAKEN_ALONE] = "TakenAlone",
	[F_THREAD_MASK] = "ThreadMask",
	[F_UMASK] = "UMask",
	[F_UNIT] = "Unit",
};

const char *const fields_unused[] = {
	"BitFieldName",
	"CollectPEBSRecord",
	"CounterType",
	"CountersNumFixed",
	"CountersNumGeneric",
	"ELLC",
	"Experimental",
	"Function",
	"L1_Hit_Indication",
	"MSRMask",
	"Offcore",
	"PDIR_COUNTER",
	"PDISTCounter",
	"Speculative",
	NULL,
};

const struct text_field text_fields[] = {
	{ F_METRIC, TEXT_METRIC },	   { F_COMPAT, TEXT_COMPAT },
	{ F_SCALE_UNIT, TEXT_SCALE_UNIT }, { F_COUNTER, TEXT_COUNTER },
	{ F_THRESHOLD, TEXT_THRESHOLD },   { F_GROUPS, TEXT_GROUPS },
	{ F_NO_GROUP, TEXT_NO_GROUP },	   { F_DEFAULT_GROUP, TEXT_DEFAULT_GROUP },
};
const int nr_text_fields = sizeof(text_fields) / sizeof(*text_fields);

const struct term_field term_fields[] = {
	{ F_ANY_THREAD, "any" },	  { F_PORT_MASK, "ch_mask" },
	{ F_COUNTER_MASK, "cmask" },	  { F_EDGE, "edge" },
	{ F_FC_MASK, "fc_mask" },	  { F_INVERT, "inv" },
	{ F_SAMPLE_AFTER, "period" },	  { F_UMASK, "umask" },
	{ F_NODE_TYPE, "type" },	  { F_RD_WR_MASK, "rdwrmask" },
	{ F_EN_ALL_CORES, "enallcores" }, { F_EN_ALL_SLICES, "enallslices" },
	{ F_SLICE_ID, "sliceid" },	  { F_THREAD_MASK, "threadmask" },
};
const int nr_term_fields = sizeof(term_fields) / sizeof(*term_fields);

const struct flag_word flag_words[] = {
	{ F_CONSTRAINT, "NO_GROUP_EVENTS", FLAG_CONSTRAINT, 1 },
	{ F_CONSTRAINT, "NO_GROUP_EVENTS_NMI", FLAG_CONSTRAINT, 2 },
	{ F_CONSTRAINT, "NO_NMI_WATCHDOG", FLAG_CONSTRAINT, 2 },
	{ F_CONSTRAINT, "NO_GROUP_EVENTS_SMT", FLAG_CONSTRAINT, 3 },
	{ F_CONSTRAINT, "NO_THRESHOLD_AND_NMI", FLAG_CONSTRAINT, 4 },
	{ F_AGGREGATION, "PerChip", FLAG_AGGREGATION, 1 },
	{ F_AGGREGATION, "PerCore", FLAG_AGGREGATION, 2 },
	{ .word = NULL },
};

const struct msr_term msrs[] = {
	{ 0x3f6, "ldlat" },
	{ 0x1a6, "offcore_rsp" },
	{ 0x1a7, "offcore_rsp" },
	{ 0x3f7, "frontend" },
	{ 0x3e0, "offmodule_rsp" },
	{ 0x3e1, "offmodule_rsp" },
	{ 0x3e2, "offmodule_rsp" },
	{ 0x3e3, "offmodule_rsp" },
	{ .msr = 0 },
};

const struct unit_pmu units[] = {
	{ "CBO", "uncore_cbox" },
	{ "QPI LL", "uncore_qpi" },
	{ "SBO", "uncore_sbox" },
	{ "iMPH-U", "uncore_arb" },
	{ "CPU-M-CF", "cpum_cf" },
	{ "CPU-M-SF", "cpum_sf" },
	{ "PAI-CRYPTO", "pai_crypto" },
	{ "PAI-EXT", "pai_ext" },
	{ "UPI LL", "uncore_upi" },
	{ "hisi_sicl,cpa", "hisi_sicl,cpa" },
	{ "hisi_sccl,ddrc", "hisi_sccl,ddrc" },
	{ "hisi_sccl,hha", "hisi_sccl,hha" },
	{ "hisi_sccl,l3c", "hisi_sccl,l3c" },
	{ "imx8_ddr", "imx8_ddr" },
	{ "imx9_ddr", "imx9_ddr" },
	{ "L3PMC", "amd_l3" },
	{ "DFPMC", "amd_df" },
	{ "UMCPMC", "amd_umc" },
	{ "cpu_core", "cpu_core" },
	{ "cpu_atom", "cpu_atom" },
	{ "cpu_lowpower", "cpu_lowpower" },
	{ "ali_drw", "ali_drw" },
	{ "arm_cmn", "arm_cmn" },
	{ .unit = NULL },
};

const struct fixed_event fixed_events[] = {
	{ "inst_retired.any", "event=0xc0,period=2000003" },
	{ "inst_retired.any_p", "event=0xc0,period=2000003" },
	{ "cpu_clk_unhalted.ref", "event=0x0,umask=0x03,period=2000003" },
	{ "cpu_clk_unhalted.thread", "event=0x3c,period=2000003" },
	{ "cpu_clk_unhalted.core", "event=0x3c,period=2000003" },
	{ "cpu_clk_unhalted.thread_any", "event=0x3c,any=1,period=2000003" },
	{ .name = NULL },
};
