/* text_time.h - lengths of time as reports show them: the two largest units. All are for g_free. */
#ifndef TOOLS_TEXT_TIME_H
#define TOOLS_TEXT_TIME_H

/* "45s", "12m05s", "1h05m", "2d03h", rounded to the smaller unit; below 0 counts as 0. */
char *time_short(double seconds);
/* "+12m05s", "-1d07h", cut to the smaller unit; "0s". */
char *time_signed(double seconds);
#endif
