import { CheckboxField } from '#page-kit';
import { currentLanguage } from '#kernel';
import type { VNode } from 'preact';
import type { TypedContact } from '../order/contact-form.dto.js';
import { followingWords } from './following.words.js';

/** The box with which buyers follow the venue. Not ticked at first; a mail asks for the confirmation. */
export function FollowField({ typed }: { readonly typed: TypedContact }): VNode {
  const label = followingWords[currentLanguage()].tick;
  return <CheckboxField field={{ name: 'follow', label }} checked={(typed('follow')[0] ?? '') !== ''} />;
}
