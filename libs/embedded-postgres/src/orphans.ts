import type { Place } from './place.js';
import { run } from './programs.js';

/**
 * Ends server processes that outlived their postmaster: one in the middle of a computation notices late that it is gone, and PostgreSQL does not
 * start beside it. Only call it when no postmaster runs on this data. Linux only: elsewhere they end by themselves.
 * @param signal `QUIT` asks a process to end at once, `KILL` ends one that does not listen; what they did is not committed either way
 */
export async function endOrphans(place: Place, signal: 'QUIT' | 'KILL'): Promise<void> {
  if (process.platform !== 'linux') return;
  // All server processes sit in the data folder. Asked as their own user: in a container root may not look.
  const script = `for process in /proc/[0-9]*; do
    [ "$process/cwd" -ef "$0" ] || continue
    case "$(readlink "$process/exe")" in */postgres | */postgres\\ \\(deleted\\)) kill -s "$1" "\${process#/proc/}" ;; esac
  done`;
  await run('/bin/sh', ['-c', script, place.cluster, signal], place.account);
}
