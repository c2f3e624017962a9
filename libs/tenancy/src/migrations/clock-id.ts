/**
 * SQL: the default of an id that only orders the rows of one parent: microseconds of the clock. It needs no sequence. `scan_log` keeps its
 * sequence, because the ids of all its rows must differ.
 */
export const clockId = "(date_part('epoch', clock_timestamp()) * (1000000))";
