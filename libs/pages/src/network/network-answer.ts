import { currentLanguage } from '#kernel';
import type { Response } from 'express';
import { gatheringPolicy } from '../page-answer.js';

/**
 * Pictures come from the hosts of the places that send the events, and the form of the filters stays on this host. There is no script, and no
 * frame.
 */
const policy = gatheringPolicy.replace("form-action 'none'", "form-action 'self'");

/**
 * What every answer of a network's agenda says, 304 as well. Caches keep it and ask each time whether it is still so, because what a place
 * cancels or takes back must not stand on another host for a minute.
 */
export function prepareNetworkAnswer(response: Response): void {
  response.vary('Accept-Language');
  response.set({
    'Content-Language': currentLanguage(),
    'Content-Security-Policy': policy,
    'Cache-Control': 'public, no-cache',
  });
}

/** Answers a part of a network's agenda. */
export function answerNetwork(response: Response, type: string, body: string): void {
  prepareNetworkAnswer(response);
  response.type(`${type}; charset=utf-8`).send(body);
}
