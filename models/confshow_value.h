/* confshow_value.h - values in the form in which "scontrol show config" prints them; private to confshow*.c and
 * confwrite*.c. */
#ifndef MODELS_CONFSHOW_VALUE_H
#define MODELS_CONFSHOW_VALUE_H
#include "models/confshow.h"

enum conf_show_form {
	SHOW_TEXT,     /* as given */
	SHOW_PLUGIN,   /* as given; none is (null) after 22.05 */
	SHOW_LOWER,    /* in lower case */
	SHOW_UPPER,    /* in capitals; a truth value as YES's word */
	SHOW_BOOL,     /* yes, no; 22.05: Yes, No */
	SHOW_BOOL01,   /* 1, 0 */
	SHOW_SEC,      /* "30 sec" */
	SHOW_MIN,      /* "0 min" */
	SHOW_USEC,     /* "2000 usec" */
	SHOW_PERCENT,  /* "0 percent" */
	SHOW_RATE,     /* "60 nodes/min" */
	SHOW_TIME,     /* "7-00:00:00" */
	SHOW_SUSPEND,  /* "300 sec" or INFINITE */
	SHOW_USER,     /* "root(0)" */
	SHOW_COMPUTED, /* from typed values, or of the daemon */
};

struct conf_show_key {
	const char *name;
	enum conf_show_form form;
	const char *default22, *default26; /* printed when not given; NULL = no such row */
};

/* TEXT, as given in slurm.conf, in FORM. g_free. */
char *conf_show_value(enum conf_show_form form, const char *text, bool old);

/* Values as words, as scontrol prints and slurm.conf reads them. GIVEN: SelectTypeParameters as given, for tokens that
 * are not modelled; NULL. g_free. */
char *conf_enforce_text(uint32_t enforce);
char *conf_select_text(const struct sched_params *p, const char *given);
char *conf_preempt_text(const struct sched_params *p);
char *conf_priority_flags_text(uint32_t flags);

struct conf_shown {
	const char *name; /* static */
	char *value;      /* owned */
	const struct conf_origin *at;
	bool derived;
};
struct conf_shown conf_show_computed(const struct conf_show_key *k, const struct cluster *c,
                                     const struct conf_origins *o, sec_t boot);
#endif
