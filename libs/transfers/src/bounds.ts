/** Days that a buyer has at least: a transfer arrives on the next working day, and people pay in the evening. */
export const leastTransferDays = 3;
export const longestTransferDays = 90;
/** Characters of the holder of an account in payment messages and EPC codes. */
export const longestHolder = 70;
/** Days before the deadline on which the buyer is reminded. */
export const reminderDays = 2;
/** Bytes of a file of statements. */
export const mostStatementBytes = 8 * 1024 * 1024;
/** Entries of a file of statements. */
export const mostEntries = 5000;
/** Hundredths of the amount of an entry. */
export const mostCents = 999_999_999_999;
/** Texts that are kept of one entry of a file, and of each of its transactions. */
export const mostTexts = 20;
/** Elements of one entry, and the depth of elements: files that exceed them are refused. */
export const deepestElement = 40;
/** Refunds of one payment order for the bank. */
export const mostOrderedRefunds = 1000;
/** Days after the last day within which a customer is reminded. */
export const remindedWithin = 30;
/** Parts in which an order on account is due. */
export const mostInstalments = 24;
/** Characters of what staff enter of a customer. */
export const longestCustomer = { name: 100, email: 254, address: 300, taxNumber: 30 } as const;
export const longestPaymentDays = 365;
export const mostCustomers = 2000;
/** Orders whose part payments one run settles. */
export const mostSettledOrders = 1000;
