import { reply, type Reply } from '#http';
import { currentLanguage } from '#kernel';
import { gatheringPolicy } from '../frame/page-answer.js';

/**
 * Pictures come from the hosts of the places that send the events, and the form of the filters stays on this host. There is no script,
 * and no frame.
 */
const policy = gatheringPolicy.replace("form-action 'none'", "form-action 'self'");

/**
 * A part of a network's agenda. Caches keep it and ask each time whether it is still so, because what a place cancels or takes back must
 * not stand on another host for a minute.
 * @param tag its entity tag; with one the body is only made for a caller who has another version
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
