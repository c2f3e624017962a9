/** Table that exists while a backup is loaded. Programs refuse to work on the database then. */
export const unfinishedRestore = 'shared.unfinished_restore';
