import { currentLanguage } from '#kernel';
import { DemoLink } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { orderWords } from './order.words.js';

interface StepProps {
  readonly title: string;
  /** Paragraphs. */
  readonly lines?: readonly string[];
  /** Why the last attempt failed; stands above the lines. */
  readonly fault?: string | undefined;
  /** Something went well. */
  readonly isGood?: boolean;
  /** Forms and links below the lines. */
  readonly children?: ComponentChildren;
}

/** What comes next, as a section of a page. */
export function Step({ title, lines = [], fault, isGood = false, children }: StepProps): VNode {
  return (
    <section class={isGood ? 'notice step good' : 'notice step'}>
      <h2>{title}</h2>
      {fault !== undefined && <p role="alert">{fault}</p>}
      {lines.map((line) => (
        <p>{line}</p>
      ))}
      {children}
    </section>
  );
}

/** What a page says after a form that leads to a mail. */
interface MailedWords {
  readonly title: string;
  readonly text: string;
  /** Instead of the text, where the server sends no mail. */
  readonly kept: string;
}

interface MailedStepProps {
  /** Whether the server sends mail. */
  readonly isSent: boolean;
  readonly said: MailedWords;
  /** Path of the link of the mail, where the page may show it. */
  readonly mailLink?: string | undefined;
  /** What to do when the address was wrong or no mail arrives. */
  readonly children: ComponentChildren;
}

/** What comes next after a form that leads to a mail, as a section of a page. */
export function MailedStep({ isSent, said, mailLink, children }: MailedStepProps): VNode {
  const { title, text, kept } = said;
  const { sentSpam, keptTitle } = orderWords[currentLanguage()];
  if (!isSent && mailLink !== undefined)
    return (
      <Step title={keptTitle}>
        <DemoLink path={mailLink} />
      </Step>
    );
  if (!isSent) return <Step title={keptTitle} lines={[kept]} />;
  return (
    <Step title={title} lines={[text, sentSpam]}>
      {children}
    </Step>
  );
}
