import { reply, type Reply } from '#http';
import { currentLanguage } from '#kernel';
import { gatheringPolicy, withSearch } from '#page-kit';

/** Allows images of other hosts, because the members' images are there. Forms only to this host; no scripts and frames. */
const policy = withSearch(gatheringPolicy);

/**
 * A part of a network's agenda. Caches revalidate it on each use, so that cancelled or withdrawn events disappear at once.
 * @param tag its entity tag; with it the body is rendered only for clients with another version
 */
export function networkReply(type: string, body: string | (() => Promise<string>), tag?: string): Reply<string> {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Language': currentLanguage(),
    'Content-Security-Policy': policy,
    'Cache-Control': 'public, no-cache',
    ...(tag !== undefined && { ETag: tag }),
  };
  return reply(body, { headers, vary: 'Accept-Language, Cookie' });
}
