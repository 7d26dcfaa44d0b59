export { Earnings as Component } from '../../features/commerce/earnings/Earnings.tsx'
