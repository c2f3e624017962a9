import { CheckboxField } from '#page-kit';
import { currentLanguage } from '#kernel';
import type { VNode } from 'preact';
import { followingWords } from './following.words.js';

interface FollowFieldProps {
  /** The values of a field, as they were sent. */
  readonly typed: (field: string) => readonly string[];
}

/** The box with which buyers follow the venue. Not ticked at first; a mail asks for the confirmation. */
export function FollowField({ typed }: FollowFieldProps): VNode {
  const label = followingWords[currentLanguage()].tick;
  return <CheckboxField field={{ name: 'follow', label }} checked={(typed('follow')[0] ?? '') !== ''} />;
}
