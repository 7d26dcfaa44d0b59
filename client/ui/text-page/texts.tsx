import type { ReactNode } from 'react'

/** A page that is mostly text. */
export const textPageTexts = {
  summary: 'In short',
  contents: 'Contents',
  onThisPage: 'On this page',
  updated: (date: ReactNode) => <>Last updated {date}</>,
  linkTo: (heading: string) => `Link to “${heading}”`,
} as const

/** The operator within a text. */
export const operatorTexts = {
  email: 'our email address',
  account: (forum: string) => `our official account on ${forum}`,
  accountOn: (account: ReactNode, forum: string) => (
    <>
      {account} on {forum}
    </>
  ),
  usOn: (site: ReactNode) => <>us on {site}</>,
} as const
