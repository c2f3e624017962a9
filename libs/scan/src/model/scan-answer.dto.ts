/** Shape of every answer about a ticket or a card. */
export type ScanAnswer = Readonly<Record<string, unknown>> & { readonly success: boolean; readonly message: string };
