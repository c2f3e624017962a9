import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { languageLinks } from '../request/chosen-language.js';

interface LanguageListProps {
  /** Path and query of the page. */
  readonly address: string;
  readonly current: Language;
  /** Of the links, such as `nofollow`. */
  readonly rel?: string;
}

/** Links to the same page in the other languages, each named in itself. */
export function LanguageList({ address, current, rel }: LanguageListProps): VNode {
  return (
    <ul>
      {languageLinks(address, current).map(({ code, name, href }) => (
        <li>
          {href === undefined ? (
            <span lang={code} aria-current="true">
              {name}
            </span>
          ) : (
            <a href={href} lang={code} hreflang={code} rel={rel}>
              {name}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
