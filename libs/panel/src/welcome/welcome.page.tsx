import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { PANEL_PATH, fill } from '#panel-kit';
import type { PlainPage } from '#panel-kit';
import { welcomePath, type WelcomeStep } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

/** The page with the first steps of a new tenant. */
export function welcomePage(steps: readonly WelcomeStep[], place: string, language: Language): PlainPage {
  const words = welcomeWords[language];
  return {
    title: fill(words.title, { place }),
    body: (
      <>
        <p class="gt-lead">{steps.every(({ isDone }) => isDone) ? words.allDone : words.lead}</p>
        <ol class="gt-steps">
          {steps.map((step) => (
            <Step step={step} language={language} />
          ))}
        </ol>
        <p>
          <a class="gt-button gt-button-wide" href={PANEL_PATH}>
            {words.panel}
          </a>
        </p>
        <form method="post" action={welcomePath}>
          <button class="gt-button gt-button-quiet gt-button-wide" type="submit">
            {words.dismiss}
          </button>
        </form>
      </>
    ),
  };
}

function Step({ step, language }: { readonly step: WelcomeStep; readonly language: Language }): VNode {
  const words = welcomeWords[language];
  const { name, isDone, href } = step;
  const { title, text } = words.steps[name];
  return (
    <li class={isDone ? 'gt-step-done' : undefined}>
      <h2>
        <a href={href}>{title}</a>
      </h2>
      <p>{text}</p>
      <p class="gt-step-state">{isDone ? words.done : words.open}</p>
    </li>
  );
}
