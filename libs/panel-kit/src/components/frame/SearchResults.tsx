import { useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from 'adminjs';
import { Badge } from '../shared/Badge.js';
import { briefly } from '../shared/times.js';
import type { SearchHit } from '../../search/search-hit.js';
import type { SearchAnswer } from '../../search/search.router.js';
import type { Found } from './search-state.js';

/** What the keyboard can choose. */
export type SearchOption = Pick<SearchHit, 'href'> & { readonly id?: string };

/** All options in the order in which they are drawn. The link to the full list of a kind has no `id`. */
export const optionsOf = (answer: SearchAnswer | null): SearchOption[] =>
  (answer?.groups ?? []).flatMap(({ hits, all, label }) => [...hits, ...(all ? [{ href: all, label }] : [])]);

/** An option of the combobox; the keyboard reaches it only through the search field. */
function Option({
  id,
  option,
  active,
  onChoose,
  children,
}: {
  readonly id: string;
  readonly option: SearchOption;
  readonly active: boolean;
  readonly onChoose: (href: string) => void;
  readonly children: ReactNode;
}) {
  const line = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (active) line.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const choose = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(option.href);
  };
  return (
    <a
      ref={line}
      id={id}
      role="option"
      href={option.href}
      tabIndex={-1}
      aria-selected={active}
      className={option.id ? 'gt-found' : 'gt-found gt-found-all'}
      onClick={choose}
    >
      {children}
    </a>
  );
}

function Hit({ hit }: { readonly hit: SearchHit }) {
  const { title, details, at, badge } = hit;
  const words = at ? [details[0], briefly(at), ...details.slice(1)] : details;
  return (
    <>
      <span className="gt-found-title">
        {title} {badge ? <Badge tone={badge.tone}>{badge.text}</Badge> : null}
      </span>
      <span className="gt-small">{words.filter(Boolean).join(' · ')}</span>
    </>
  );
}

/** Search results, grouped by kind. */
export function SearchResults({
  id,
  found,
  status,
  options,
  active,
  onChoose,
}: {
  readonly id: string;
  readonly found: Found;
  readonly status: string;
  readonly options: readonly SearchOption[];
  readonly active: number;
  readonly onChoose: (href: string) => void;
}) {
  const { tc } = useTranslation();
  const { answer, state } = found;
  const groups = answer?.groups ?? [];
  let index = -1;
  const option = (one: SearchOption, content: ReactNode) => {
    index += 1;
    return (
      <Option key={one.href} id={`${id}-${index}`} option={one} active={index === active} onChoose={onChoose}>
        {content}
      </Option>
    );
  };
  return (
    <div className="gt-found-box" aria-busy={state === 'busy'}>
      {options.length === 0 ? <p className="gt-found-none">{status}</p> : null}
      <div id={id} role="listbox" aria-label={tc('Search.results')}>
        {groups
          .filter(({ hits }) => hits.length > 0)
          .map((group) => (
            <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
              <div className="gt-found-kind" id={`${id}-${group.id}`} role="presentation">
                {group.label}
              </div>
              {group.hits.map((hit) => option(hit, <Hit hit={hit} />))}
              {group.all ? option({ href: group.all }, tc('Search.all', { kind: group.label })) : null}
            </div>
          ))}
      </div>
      {groups
        .filter(({ late }) => late)
        .map(({ id: kind, label }) => (
          <p key={kind} className="gt-found-none">
            {tc('Search.late', { kind: label })}
          </p>
        ))}
    </div>
  );
}
