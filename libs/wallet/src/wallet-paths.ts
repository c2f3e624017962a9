/** Last part of the path of a ticket's pass, below the path of the ticket. */
export const walletPaths = { apple: 'ticket.pkpass', google: 'google-wallet' } as const;
