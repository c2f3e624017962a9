import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'adminjs';
import { Segments } from '#panel-kit/components/forms/FormField.js';
import { colourIn } from './AccentField.js';

/** Milliseconds without a change after which the preview follows. */
const pause = 200;

/** What is chosen; empty: the usual. */
export type Look = Readonly<Record<'accentColour' | 'typeface' | 'corners', string>>;

/** A public page as it would be with the chosen look, in a frame. A colour that is being typed is shown once it is whole. */
export function LookPreview({ address, look, hasEvent }: { readonly address: string; readonly look: Look; readonly hasEvent: boolean }) {
  const { tc } = useTranslation();
  const [page, setPage] = useState('home');
  const frame = useRef<HTMLIFrameElement>(null);
  const colour = useRef('');
  const typed = look.accentColour.trim();
  if (typed === '' || colourIn(typed)) colour.current = colourIn(typed) ?? '';
  const query = String(new URLSearchParams({ ...look, accentColour: colour.current, page }));
  const shown = useRef('');
  useEffect(() => {
    const follow = (): void => {
      shown.current = query;
      // Not `src`: each new one would be a step of the browser's history.
      frame.current?.contentWindow?.location.replace(`${address}?${query}`);
    };
    const timer = setTimeout(follow, shown.current === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [query]);
  return (
    <section className="gt-panel gt-look-preview" aria-labelledby="look-preview">
      <h2 id="look-preview">{tc('LookForm.preview')}</h2>
      <p className="gt-small">{tc('LookForm.previewHelp')}</p>
      {hasEvent ? (
        <Segments
          name="page"
          label={tc('LookForm.page')}
          options={['home', 'event'].map((value) => ({ value, label: tc(`LookForm.pages.${value}`) }))}
          value={page}
          onChange={setPage}
        />
      ) : null}
      <iframe ref={frame} title={tc('LookForm.preview')} sandbox="allow-same-origin" />
    </section>
  );
}
