import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'adminjs';
import type { Faults } from '#panel-kit/components/page/view.js';

/** Milliseconds without typing after which the preview follows. */
const pause = 500;

type Values = Readonly<Record<string, string>>;

/** What the server answers: the mail, or what it refuses. */
interface Read {
  readonly errors?: Faults;
  readonly subject?: string;
  readonly text?: string;
}

async function read(address: string, values: Values): Promise<Read> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ ...values, part: 'text' }) });
  if (!answer.ok && answer.status !== 422) throw new Error(`preview: ${answer.status}`);
  return (await answer.json()) as Read;
}

/**
 * The mail as the server composes it: its HTML in a frame, then its text part. A form fills the frame, because what a page itself writes
 * into a frame has the page's own content policy, without the styles of mails.
 */
export function MailPreview({
  address,
  values,
  refused,
}: {
  readonly address: string;
  readonly values: Values;
  readonly refused: (errors: Faults) => void;
}) {
  const { tc } = useTranslation();
  const [shown, setShown] = useState<{ turn: number; values: Values; subject: string; text: string } | null>(null);
  const [failed, setFailed] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef(0);
  const key = JSON.stringify(values);
  useEffect(() => {
    const turn = (latest.current += 1);
    const follow = async (): Promise<void> => {
      try {
        const { errors = {}, subject, text = '' } = await read(address, values);
        if (turn !== latest.current) return;
        refused(errors);
        setFailed(false);
        if (subject !== undefined) setShown({ turn, values, subject, text });
      } catch {
        if (turn === latest.current) setFailed(true);
      }
    };
    const timer = setTimeout(() => void follow(), shown ? pause : 0);
    return () => clearTimeout(timer);
  }, [key]);
  // A new frame each time: the navigation of an existing one would be a step of the browser's history.
  useEffect(() => {
    if (shown) form.current?.submit();
  }, [shown]);
  return (
    <section className="gt-panel gt-mail-preview" aria-labelledby="mail-preview">
      <h2 id="mail-preview">{tc('MailTexts.preview')}</h2>
      <p className="gt-small">{tc('MailTexts.previewHelp')}</p>
      {failed ? <p className="gt-stale">{tc('MailTexts.previewFailed')}</p> : null}
      {shown ? (
        <>
          <p className="gt-mail-subject">
            <span className="gt-small">{tc('MailTexts.subject')}</span> <strong>{shown.subject}</strong>
          </p>
          <form ref={form} method="post" encType="multipart/form-data" action={address} target={`mail-preview-${shown.turn}`} hidden>
            {Object.entries({ ...shown.values, part: 'html' }).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} readOnly />
            ))}
          </form>
          <iframe
            key={shown.turn}
            name={`mail-preview-${shown.turn}`}
            title={tc('MailTexts.preview')}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
          />
          <details>
            <summary>{tc('MailTexts.textPart')}</summary>
            <pre tabIndex={0}>{shown.text}</pre>
          </details>
        </>
      ) : null}
    </section>
  );
}
