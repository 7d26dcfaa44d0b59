export { Component } from './NotAvailableYet.tsx'
