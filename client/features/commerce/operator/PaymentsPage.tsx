import { IconReceipt2 } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { Attention } from './Attention.tsx'
import { type Payment, paymentsQuery, settlementsPath } from './api.ts'
import styles from './operator.module.css'
import { PaymentStatusTag } from './PaymentStatusTag.tsx'
import { paymentTexts as texts } from './texts.ts'

/** As the server takes it (`routes.payments`). */
const LONGEST = 100

/** Everyone's payments, and what an operator has to look at; what is searched for stands in the address. */
export function Component() {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  const list = useList(paymentsQuery(search))
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        <div className={styles.actions}>
          <LinkButton to={settlementsPath} variant="default">
            {texts.settlements}
          </LinkButton>
          <LinkButton to={paths.disputes} variant="default">
            {texts.disputes}
          </LinkButton>
        </div>
      }
    >
      <Attention />
      <search className={styles.search}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={LONGEST}
          value={search}
          onChange={(wanted) =>
            setParameters(wanted ? { search: wanted } : {}, { replace: true, preventScrollReset: true })
          }
        />
      </search>
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          search ? (
            <EmptyState title={texts.noResults(search)}>{texts.noResultsHint}</EmptyState>
          ) : (
            <EmptyState Icon={IconReceipt2} title={texts.none}>
              {texts.noneWhy}
            </EmptyState>
          )
        }
      >
        <ul className={styles.list} aria-label={texts.label}>
          {list.items.map((payment) => (
            <Row key={payment._id} payment={payment} />
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}

function Row({
  payment: { _id, title, buyer, creator, amount, refunded, status, createdAt },
}: {
  payment: Payment
}) {
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>
          <TextLink to={paths.payment(_id)}>{title}</TextLink> · <Money value={amount} />
        </p>
        <p className={styles.note}>
          {[
            texts.between(buyer.username, creator.username),
            formatDateTime(createdAt),
            refunded && texts.refunded(refunded),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <PaymentStatusTag status={status} />
    </li>
  )
}
