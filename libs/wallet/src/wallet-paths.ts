/** Last part of the path of all passes of a reservation for Apple Wallet, below the path of the reservation. */
export const walletBundlePath = 'tickets.pkpasses';

/** Last part of the path of a ticket's pass, below the path of the ticket. */
export const walletPaths = { apple: 'ticket.pkpass', google: 'google-wallet' } as const;
