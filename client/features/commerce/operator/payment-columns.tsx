import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { formatDate, withCents } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import type { Column } from '../../../ui/table/column.ts'
import type { Payment } from './api.ts'
import styles from './operator.module.css'
import { OrderStatusTag } from './PaymentStatusTag.tsx'
import { paymentTexts as texts } from './texts.ts'

/** Whose sale it is: nobody's where all of it is the platform's. */
const sellerOf = ({ kind, creator }: Payment) => (kind === 'donation' ? texts.site : creator.username)

/** A username in full, in two lines where it is long. */
const Name = ({ children }: { children: string }) => <span className={styles.username}>{children}</span>

/** An operator's columns of payments: cells of a table, or parts of a card on a phone. */
export const paymentColumns: readonly Column<Payment>[] = [
  {
    id: 'date',
    header: texts.date,
    cell: ({ createdAt }) => formatDate(createdAt),
    width: '8rem',
    card: 'note',
    onCard: (payment) =>
      [
        formatDate(payment.createdAt),
        // Before the names, of which a phone may have to cut some.
        payment.refunded && texts.refunded(withCents(payment.refunded)),
        texts.between(payment.buyer.username, sellerOf(payment)),
      ]
        .filter(Boolean)
        .join('\u00a0· '),
  },
  {
    id: 'item',
    header: texts.item,
    cell: ({ _id, title }) => (
      <Link to={paths.payment(_id)} className={styles.link}>
        {title}
      </Link>
    ),
    card: 'title',
  },
  { id: 'buyer', header: texts.buyer, cell: ({ buyer }) => <Name>{buyer.username}</Name>, width: '18%' },
  { id: 'creator', header: texts.creator, cell: (payment) => <Name>{sellerOf(payment)}</Name>, width: '18%' },
  {
    id: 'status',
    header: texts.status,
    cell: (payment) => <OrderStatusTag {...payment} />,
    width: '9rem',
    card: 'state',
  },
  {
    id: 'amount',
    header: texts.amount,
    cell: ({ amount, refunded }) => (
      <>
        <Money cents value={amount} />
        {refunded && <p className={styles.note}>{texts.refunded(withCents(refunded))}</p>}
      </>
    ),
    onCard: ({ amount }) => <Money cents value={amount} />,
    figures: true,
    width: '9rem',
    card: 'value',
  },
]
