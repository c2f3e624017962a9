import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import type { FoundTicket } from '../core/types.js';
import { FailureNote } from '../parts/failure.js';
import { t } from '../texts/texts.js';

/** Search for roles that may; for all others a field for a code that the camera cannot read. */
export function SearchForm({ model }: { readonly model: DoorModel }): JSX.Element {
  const { role } = model.state.value;
  const { value: failure } = model.failure;
  const searches = role === 'search' || role === 'supervisor';
  const [words, write] = useState('');
  const [found, keep] = useState<readonly FoundTicket[] | null>(null);
  const decide = (code: string): void => {
    model.closeSheet();
    void model.scan(code, 'typed');
  };
  const submit = async (): Promise<void> => {
    const text = words.trim();
    if (text === '') return;
    if (!searches) return decide(text);
    const tickets = await model.search(text);
    if (tickets) keep(tickets);
  };
  return (
    <>
      <form
        role="search"
        class="typed"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label for="words">{t(searches ? 'search.label' : 'search.typeLabel')}</label>
        <input
          id="words"
          type="text"
          // The dialog was opened to type.
          autofocus
          maxLength={searches ? 100 : 300}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={words}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
        <button type="submit" class="button main" data-action="submit-search" disabled={model.working.value}>
          {t(searches ? 'actions.search' : 'actions.check')}
        </button>
      </form>
      {failure?.code === 'search.limited' ? (
        <p class="failure" role="alert" data-error={failure.code}>
          {t('search.limited', { seconds: failure.message })}
        </p>
      ) : (
        <FailureNote model={model} />
      )}
      <p role="status">{found && t('search.found', { count: found.length })}</p>
      <ul class="list">
        {found?.map((ticket) => (
          <li key={ticket.id} data-ticket={ticket.id} data-state={ticket.state}>
            <Found ticket={ticket} onChosen={() => decide(ticket.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Found({ ticket, onChosen }: { readonly ticket: FoundTicket; readonly onChosen: () => void }): JSX.Element {
  const { firstName, lastName, email, reference, price, state } = ticket;
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return (
    <button type="button" class="button plain event" data-action="choose-ticket" onClick={onChosen}>
      <strong>{name || email || reference}</strong>
      <small>{[t(`search.states.${state}`), price, reference].filter(Boolean).join(' · ')}</small>
      {email && name && <small>{email}</small>}
    </button>
  );
}
