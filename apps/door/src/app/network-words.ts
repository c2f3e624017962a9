import type { NetworkState } from '../core/types.js';
import type { Parameters } from '../texts/fill-text.js';
import type { Key } from '../texts/texts.js';
import { clockTime } from '../texts/times.js';

/** How the phone hears the server, in the words that volunteers see. */
export function networkWords(
  { kind, listAt, unsent }: NetworkState,
  { t, locale, zone }: { readonly t: (key: Key, parameters?: Parameters) => string; readonly locale: string; readonly zone: string | null },
): string {
  const time = listAt === null ? null : clockTime(listAt, locale, zone);
  if (kind === 'live') return unsent > 0 ? t('network.liveUnsent', { count: unsent }) : t('network.live');
  if (kind === 'slow') return time === null ? t('network.slow') : t('network.slowList', { time });
  if (unsent > 0) return t('network.offlineUnsent', { count: unsent });
  return time === null ? t('network.offline') : t('network.offlineList', { time });
}
