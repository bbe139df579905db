"""Format modules for Django (`FORMAT_MODULE_PATH`): how people write numbers, money and days in each locale.

A locale's module has only what differs from its language's. Besides Django's names of formats there are
MONEY_FORMAT, with ¤ for the unit and 0 for the number; DAY_FORMAT, a day in figures without its year; and
UNITS, the units of money that a new table is offered.

Sources: the CLDR, except where people write otherwise. The CLDR leaves a number of four digits undivided in
some locales; here every thousand is separated. Django's own Mexican format separates it with a space.
"""
