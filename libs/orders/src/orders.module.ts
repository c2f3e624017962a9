import { OrderLine } from './order-line.entity.js';
import { Order } from './order.entity.js';

export const orderEntities = [Order, OrderLine];
