import { amountOf, sum, times } from '#panel-kit/components/shared/numbers.js';
import { answerFaults, linesToSend } from '../../questions/BuyerQuestions.jsx';

/** The key of the memberships among the parts of a sale; those of tickets have the id of their event. */
export const MEMBERSHIPS = 'memberships';

export const EMPTY_PART = { quantities: {}, amounts: {}, optionIds: [], answers: {} };
export const EMPTY = { email: '', firstName: '', lastName: '', language: '', parts: {} };

/** What is chosen of each part: number, amount, and whether all of it are tickets. @param sales prices of each part, by key */
export function chosenParts({ parts }, sales) {
  return Object.entries(parts).flatMap(([key, { quantities, amounts }]) => {
    const lines = (sales[key]?.prices ?? []).map((price) => ({ price, quantity: quantities[price.id] ?? 0 }));
    const chosen = lines.filter(({ quantity }) => quantity > 0);
    if (chosen.length === 0) return [];
    return [
      {
        key,
        event: sales[key].event,
        count: chosen.reduce((all, { quantity }) => all + quantity, 0),
        total: sum(chosen.map(({ price, quantity }) => times(amountOf(price, amounts), quantity))),
        isAdmission: chosen.every(({ price }) => price.admits),
      },
    ];
  });
}

/** The body of a sale. @returns also what `faultsOf` needs to assign the server's errors */
export function saleToSend({ parts, ...buyer }, sales, paymentMethod) {
  const lines = chosenParts({ parts }, sales).map(({ key }) => ({ key, part: parts[key], ...linesToSend(sales[key], parts[key]) }));
  const events = lines.filter(({ key }) => key !== MEMBERSHIPS);
  const memberships = lines
    .filter(({ key }) => key === MEMBERSHIPS)
    .flatMap(({ tickets, answers }) => tickets.map((line) => ({ ...line, ...answers })));
  return {
    data: {
      ...buyer,
      paymentMethod,
      parts: events.map(({ key, part, tickets, answers }) => ({
        ...answers,
        eventId: key,
        tickets,
        optionIds: part.optionIds,
        // Staff sell before people who wait only when the page says that some do.
        passesList: sales[key].event.waiting > 0,
      })),
      memberships,
    },
    sent: events.map(({ key, starts }) => ({ key, starts })),
  };
}

/** The server's errors by the key of their part; those of no part under `all`. */
export function faultsOf(errors, sent) {
  const found = { all: {} };
  for (const [name, { message }] of Object.entries(errors)) {
    const [, kind, index, field] = /^(parts|memberships)\.(\d+)\.(.+)$/.exec(name) ?? [];
    const { key, starts } = kind === 'parts' ? sent[index] : { key: kind ? MEMBERSHIPS : 'all', starts: [] };
    const [[shown, text]] = answerFaults([[field ?? name, message]], starts);
    const isPrice = kind === 'memberships' && !shown.startsWith('answer_');
    found[key] = { ...found[key], [isPrice ? 'tickets' : shown]: text };
  }
  return found;
}
