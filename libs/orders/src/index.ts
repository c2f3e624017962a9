export { chooseGiftCard, chosenGiftCards, forgetGiftCards, mostGiftCards } from './own/gift-card-choice.js';
export { donationAmong, type OwnKind, type OwnLine, ownLinesOf } from './own/own-lines.js';
export { catchUpMemberships, catchUpOrders, earlierLineSql, orderEarlierMemberships, orderEarlierReservations } from './earlier-orders.js';
export { type LineDiscount, linesOfSold, type NewLine, type Sold } from './new-lines.js';
export { ownSql, partSql, type OrderPart } from './order-part.js';
export { OrderLine } from './order-line.entity.js';
export {
  addLines,
  beginOrder,
  countCodeAttempt,
  forgetCodeAttempts,
  forgetEmptyOrder,
  forgetLines,
  lockOrder,
  lockOwnLines,
  nameLine,
  placeOrder,
  putOnAccount,
  removeLines,
  sellLines,
  takeBackAll,
  takeBackPieces,
} from './order-rows.js';
export { lineRows, orderSql, placeOrderSql } from './order-sql.js';
export { orderEntities } from './orders.module.js';
