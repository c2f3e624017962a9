/** No program reaches them: staff pay refunds back. `venue`, and `transfer` to the bank account of the venue. */
const byHand: readonly string[] = ['venue', 'transfer'];

/** Whether refunds of payments with this provider are paid back by staff. */
export const isPaidBackByHand = (provider: string): boolean => byHand.includes(provider);

/** SQL: `isPaidBackByHand`. @param row alias of the payment */
export const paidBackByHandSql = (row: string): string => `${row}.provider in (${byHand.map((name) => `'${name}'`).join(', ')})`;
