/** Practice tickets: what their QR codes contain. They are no codes of tickets anywhere. */
export const practiceTickets = [
  { kind: 'go', text: 'GUICHET-PRACTICE:GO' },
  { kind: 'used', text: 'GUICHET-PRACTICE:USED' },
  { kind: 'cancelled', text: 'GUICHET-PRACTICE:CANCELLED' },
  { kind: 'other_event', text: 'GUICHET-PRACTICE:OTHER-EVENT' },
  { kind: 'group', text: 'GUICHET-PRACTICE:GROUP' },
] as const;
