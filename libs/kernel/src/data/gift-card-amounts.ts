/**
 * What a gift card may be worth, decimal text. The most is that of anonymous prepaid means without further checks (article 12 of Directive
 * (EU) 2015/849).
 */
export const giftCardAmounts = { least: '5.00', most: '150.00' } as const;
