import { IconReceipt } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PayoutBalance } from '../payouts/PayoutBalance.tsx'
import { transactionsQuery } from './api.ts'
import styles from './Earnings.module.css'
import { EarningsOverTime } from './EarningsOverTime.tsx'
import { Statements } from './Statements.tsx'
import { TransactionTable } from './TransactionTable.tsx'
import { texts } from './texts.ts'

/** Every sale and purchase of the logged-in person with gross, fee and share (docs/product.md, Pages Earnings). */
export function Component() {
  const me = useCurrentUser()
  const list = useList(transactionsQuery)
  const totals = list.first?.totals
  const { title, lead } = me.isCreator ? texts.creator : texts.fan
  return (
    <Page title={title} lead={lead}>
      {totals && (
        <dl className={styles.totals}>
          {me.isCreator && <Sum label={texts.share} value={totals.share} look="earned" />}
          {totals.commissions !== '$0' && (
            <Sum label={texts.commissions} value={totals.commissions} look="earned" />
          )}
          {me.isCreator ? (
            <>
              <Sum label={texts.gross} value={totals.gross} />
              <Sum label={texts.fee} value={totals.fee} />
            </>
          ) : (
            <Sum label={texts.spent} value={totals.spent} />
          )}
        </dl>
      )}
      {totals && me.isCreator && <p className={styles.kept}>{texts.afterRefunds}</p>}
      <PayoutBalance always={me.isCreator} />
      {me.isCreator && totals && list.items.length > 0 && <EarningsOverTime kept={totals} />}
      <Statements always={me.isCreator} />
      <TransactionTable
        list={list}
        creatorId={me.isCreator ? me._id : null}
        empty={<Nothing creator={me.isCreator} />}
      />
    </Page>
  )
}

function Sum({ label, value, look = 'plain' }: { label: string; value: string; look?: 'plain' | 'earned' }) {
  return (
    <div className={styles.sum}>
      <dt>{label}</dt>
      <dd>
        <Money cents value={value} look={look} />
      </dd>
    </div>
  )
}

function Nothing({ creator }: { creator: boolean }) {
  return creator ? (
    <EmptyState
      Icon={IconReceipt}
      title={texts.nothingSold}
      action={<LinkButton to={paths.premiumContent}>{texts.seeShop}</LinkButton>}
    >
      {texts.nothingSoldWhy}
    </EmptyState>
  ) : (
    <EmptyState
      Icon={IconReceipt}
      title={texts.nothingPaid}
      action={<LinkButton to={paths.discover}>{texts.browse}</LinkButton>}
    >
      {texts.nothingPaidWhy}
    </EmptyState>
  )
}
