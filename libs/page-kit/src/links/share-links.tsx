import { eventTimeText } from '#catalogue';
import { currentLanguage, type Times } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { pageWords } from '../frame/pages.words.js';

interface ShareLinksProps {
  readonly event: Parameters<typeof eventTimeText>[0] & Times & { readonly name: string };
  /** Address of its public page. */
  readonly url: string;
}

/** Ways to pass an event on without scripts of others. The link is copied by a script, without which its button does not show. */
export function ShareLinks({ event, url }: ShareLinksProps): VNode {
  const language = currentLanguage();
  const words = pageWords[language];
  const text = `${event.name} – ${eventTimeText(event, language, currentTenant().timeZone)}\n${url}`;
  return (
    <>
      <button class="link" type="button" data-copy={url} data-copied={words.copied} hidden>
        {words.copyLink}
      </button>
      <a href={`mailto:?subject=${encodeURIComponent(event.name)}&body=${encodeURIComponent(text)}`}>{words.byMail}</a>
      <a href={`https://wa.me/?text=${encodeURIComponent(text)}`} rel="external noopener">
        WhatsApp
      </a>
    </>
  );
}
