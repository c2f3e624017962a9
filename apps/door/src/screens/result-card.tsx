import { useLayoutEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import type { DoorModel, Shown } from '../app/model.js';
import type { Reason } from '../core/types.js';
import { offersOthers } from '../core/scanning/results.js';
import { resultWords, type ResultWords } from '../app/result-words.js';
import { Button } from '../parts/button.js';
import { FailureNote } from '../parts/failure.js';
import { Icon } from '../parts/icons.js';
import { laterParts } from '../app/later-parts.js';
import { language, t } from '../texts/texts.js';
import { useParts } from './later-slots.js';

interface CardOptions {
  readonly model: DoorModel;
  readonly shown: Shown;
}

export function wordsOf(model: DoorModel, { result }: Shown): ResultWords {
  const { network, timeZone } = model.state.value;
  const { locale } = language.value;
  return resultWords(result, { t, locale, zone: timeZone, now: Date.now(), listAt: network.listAt, later: laterParts.value });
}

/** Nothing to decide about this ticket: a supervisor has to, nothing was read, or only others may come in. */
const undecidable: ReadonlySet<Reason | null> = new Set<Reason>(['allowance_used', 'failed', 'already_scanned']);

/** Where the focus was before results covered the screen. */
let focusBefore: HTMLElement | null = null;

/**
 * Escape closes the result, and the focus returns. It is not moved onto the result: the Enter of a keyboard scanner would press a button.
 */
function useResultFocus(model: DoorModel): void {
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement !== document.body) focusBefore = activeElement;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && !model.sheet.value) model.dismiss();
    };
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('keydown', onKey);
      queueMicrotask(() => {
        if (!model.shown.value && document.activeElement === document.body) focusBefore?.focus({ preventScroll: true });
      });
    };
  }, [model]);
}

/** One result over the whole screen. A tap beside the buttons closes it; the next code replaces it. */
export function ResultCard({ model, shown }: CardOptions): JSX.Element {
  const { result, corrected } = shown;
  const { verdict, reason, decidedBy, direction, provisional, practice, scanId } = result;
  const words = wordsOf(model, shown);
  useResultFocus(model);
  return (
    <section
      class={`result ${verdict}`}
      data-verdict={verdict}
      data-reason={reason ?? ''}
      data-scan={scanId}
      data-decided-by={decidedBy}
      data-provisional={provisional}
      data-corrected={corrected}
      aria-label={words.word}
      onClick={() => model.dismiss()}
    >
      {practice && <p class="practice">{t('practice.mark')}</p>}
      <div class="verdict">
        <Icon name={verdict} size="large" />
        <p class="word">{words.word}</p>
      </div>
      <div class="facts">
        {corrected && <p class="corrected">{t('result.corrected')}</p>}
        {words.reason && <p class="why">{words.reason}</p>}
        {words.name && <p class="name">{words.name}</p>}
        {words.detail && <p class="detail">{words.detail}</p>}
        {words.product && <p class="product">{words.product}</p>}
        {words.notes.map((note) => (
          <p class="remark" key={note}>
            {note}
          </p>
        ))}
        {words.age && <p class="remark age">{words.age}</p>}
        {words.step && <p class="step">{words.step}</p>}
        {decidedBy === 'list' && !practice && <p class="by-list">{t('result.byList')}</p>}
      </div>
      <FailureNote model={model} />
      <div class="answers">
        <GroupAnswer model={model} shown={shown} />
        {verdict === 'ask' && !undecidable.has(reason) && !(corrected && reason === 'not_inside') && (
          <Button action="admit" look="main" disabled={model.working.value} onPress={() => model.admit(result)}>
            {t(direction === 'exit' ? 'actions.letOut' : 'actions.admit')}
          </Button>
        )}
        <UndoButton model={model} shown={shown} />
        <Button action="next" onPress={() => model.dismiss()}>
          {t(verdict === 'ask' && reason !== 'failed' && direction === 'entry' ? 'actions.refuse' : 'actions.next')}
        </Button>
      </div>
    </section>
  );
}

/** The reservation of the ticket. The others of a group come later with the same code, also at another gate. */
function GroupAnswer({ model, shown: { result } }: CardOptions): JSX.Element | null {
  const { group, verdict, direction } = result;
  const left = group?.expected ?? 0;
  const offers = left > 0 && direction === 'entry' && (['go', 'just'].includes(verdict) || offersOthers(result));
  const parts = useParts(model, offers);
  if (!group || group.count < 2) return null;
  return (
    <div class="group" data-group-count={group.count} data-group-inside={group.inside} data-group-expected={group.expected}>
      <p>{t('result.group', { inside: group.inside, count: group.count })}</p>
      {offers && parts && <parts.GroupChoice model={model} result={result} left={left} />}
    </div>
  );
}

/** One tap within ten seconds, also when the server refused since; later, supervisors say why, also about what other phones did. */
export function UndoButton({ model, shown }: CardOptions): JSX.Element | null {
  const { undoUntil, reason, practice } = shown.result;
  const seconds = model.undoSeconds(shown);
  if (seconds > 0)
    return (
      <Button action="undo" icon="undo" disabled={model.working.value} onPress={() => model.undo(shown.result)}>
        {t('actions.undoFor', { seconds })}
      </Button>
    );
  const undoes = undoUntil !== null || (!practice && (reason === 'already_scanned' || reason === 'no_reentry'));
  if (!undoes || model.state.value.role !== 'supervisor') return null;
  return (
    <Button action="undo-later" icon="undo" onPress={() => model.openSheet({ kind: 'undo', result: shown.result })}>
      {t('actions.undo')}
    </Button>
  );
}

/** The result as one sentence for screen readers, which announce it at once; the same words again for the next result. */
export function LiveResult({ shown, text }: { readonly shown: Shown | null; readonly text: string }): JSX.Element {
  return (
    <p class="spoken" aria-live="assertive" aria-atomic="true">
      <span key={shown && shown.result.scanId + String(shown.came)}>{text}</span>
    </p>
  );
}
