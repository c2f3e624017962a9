import { useEffect, useRef, useState, type KeyboardEvent as ReactKeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'adminjs';
import { Icon } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { LONGEST, useSearch, type Found } from './search-state.js';
import { SearchResults, optionsOf, type SearchOption } from './SearchResults.js';

type TranslateFunction = ReturnType<typeof useTranslation>['tc'];

const LIST = 'search-results';
const typing = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"]') !== null;

/** The key `/` moves the focus to the search field, unless the user is typing in another field. */
function useShortcut(input: RefObject<HTMLInputElement>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** The text for screen readers: the number of results, or the error. */
function statusText(found: Found, options: readonly SearchOption[], tc: TranslateFunction): string {
  if (found.state === 'failed') return tc('Search.failed');
  if (!found.answer) return '';
  if (found.answer.forged) return tc('Search.forged');
  if (options.length === 0 && found.answer.groups.every(({ late }) => !late)) return tc('Search.nothing', { text: found.text });
  const more = found.answer.groups.some(({ all }) => all);
  return tc(more ? 'Search.foundMore' : 'Search.found', { count: options.filter(({ id }) => id).length });
}

/** A combobox that searches all kinds of records. */
export function GlobalSearch() {
  const { tc } = useTranslation();
  const navigate = useNavigate();
  const { key: page } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const { found, searchNow } = useSearch(text);
  const options = optionsOf(found.answer);
  const shown = open && text.trim() !== '' && (found.answer !== null || found.state === 'failed');
  useShortcut(input);
  useEffect(() => setActive(-1), [found.answer]);
  useEffect(() => setOpen(false), [page]);
  useEffect(() => {
    const away = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, []);

  const go = (href: string): void => {
    setOpen(false);
    setText('');
    input.current?.blur();
    navigate(href);
  };
  const enter = async (event: ReactKeyboardEvent): Promise<void> => {
    event.preventDefault();
    const wanted = text.trim();
    const chosen = shown ? options[active] : undefined;
    if (chosen) go(chosen.href);
    else if (wanted !== '') {
      setOpen(true);
      // A barcode scanner ends its text with Enter, possibly before the search started.
      const answer = found.text === wanted && found.state === 'done' ? found.answer : await searchNow(wanted);
      const target = answer?.open ?? optionsOf(answer ?? null)[0]?.href;
      // The text may have changed meanwhile.
      if (target && input.current?.value.trim() === wanted) go(target);
    }
  };
  const move = (event: ReactKeyboardEvent, to: number): void => {
    event.preventDefault();
    setOpen(true);
    if (options.length > 0) setActive((to + options.length) % options.length);
  };
  const onKeyDown = (event: ReactKeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(event, active + 1);
    else if (event.key === 'ArrowUp') move(event, active < 0 ? -1 : active - 1);
    else if (event.key === 'Enter') void enter(event);
    else if (event.key === 'Escape') {
      if (!shown) setText('');
      setOpen(false);
      setActive(-1);
    }
  };
  const status = statusText(found, options, tc);
  return (
    <div
      className="gt-search"
      role="search"
      ref={box}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !box.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <Icon icon="Search" size={18} />
      <input
        ref={input}
        type="text"
        role="combobox"
        value={text}
        maxLength={LONGEST}
        placeholder={tc('Search.placeholder')}
        aria-label={tc('Search.label')}
        aria-expanded={shown}
        aria-controls={shown ? LIST : undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-keyshortcuts="/"
        aria-activedescendant={shown && active >= 0 ? `${LIST}-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => {
          setText(target.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <p className="gt-unseen" role="status">
        {shown && found.state !== 'busy' ? status : ''}
      </p>
      {shown ? <SearchResults id={LIST} found={found} status={status} options={options} active={active} onChoose={go} /> : null}
    </div>
  );
}
