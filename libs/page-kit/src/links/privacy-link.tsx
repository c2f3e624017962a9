import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { pageWords } from '../frame/pages.words.js';

/** The link to the privacy notice of the venue, for forms that ask for personal data. The foot of the page has none in a frame. */
export function PrivacyLink({ language }: { readonly language: Language }): VNode {
  return (
    <p>
      <a href="/privacy" target="_blank" rel="noopener">
        {pageWords[language].readPrivacy}
      </a>
    </p>
  );
}
