export { catchUpMemberships, catchUpOrders, earlierLineSql, orderEarlierMemberships, orderEarlierReservations } from './earlier-orders.js';
export { linesOfSold, type NewLine, type Sold } from './new-lines.js';
export { OrderLine } from './order-line.entity.js';
export { forgetEmptyOrder, forgetLines, orderMembership, placeOrder, sellLines, takeBackAll, takeBackPieces } from './order-rows.js';
export { lineRows, orderSql, placeOrderSql } from './order-sql.js';
export { orderEntities } from './orders.module.js';
