import { IconReceipt2 } from '@tabler/icons-react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { useAddress } from '../../../ui/fields/use-address.ts'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { AS_IT_COMES } from '../../../ui/table/arrange.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { Attention } from './Attention.tsx'
import { type Payment, paymentsQuery } from './api.ts'
import styles from './operator.module.css'
import { paymentColumns } from './payment-columns.tsx'
import { paymentStatusTexts, paymentTexts as texts } from './texts.ts'

/** As the server takes it (`routes.payments`). */
const LONGEST = 254

/** The filters for operators; payments that have just started have their status only for seconds. */
const STATUSES = (Object.keys(paymentStatusTexts) as Payment['status'][]).filter(
  (status) => status !== 'created' && status !== 'submitting',
)
const CHOICES = [
  { value: '', label: texts.any },
  ...STATUSES.map((value) => ({ value, label: paymentStatusTexts[value] })),
]

/** Everyone's payments, and what an operator has to look at; what is looked for stands in the address. */
export function Component() {
  const [parameters, change] = useAddress()
  const search = parameters.get('search') ?? ''
  const status = STATUSES.find((known) => known === parameters.get('status')) ?? null
  const list = useList(paymentsQuery({ search, status }))
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Attention />
      <search className={styles.filters}>
        <div className={styles.search}>
          <SearchBox
            label={texts.search}
            placeholder={texts.searchHint}
            maxLength={LONGEST}
            value={search}
            onChange={(wanted) => change({ search: wanted })}
          />
        </div>
        <SelectField
          label={texts.status}
          value={status ?? ''}
          onChange={(wanted) => change({ status: wanted })}
          choices={CHOICES}
        />
      </search>
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          search ? (
            <EmptyState title={texts.noResults(search)}>
              {status ? texts.noResultsStatus(paymentStatusTexts[status]) : texts.noResultsHint}
            </EmptyState>
          ) : status ? (
            <EmptyState title={texts.noneOf(paymentStatusTexts[status])}>{texts.noneOfHint}</EmptyState>
          ) : (
            <EmptyState Icon={IconReceipt2} title={texts.none}>
              {texts.noneWhy}
            </EmptyState>
          )
        }
      >
        <div className={styles.table}>
          <DataTable
            label={texts.label}
            rows={list.items}
            columns={paymentColumns}
            keyOf={({ _id }) => _id}
            nameOf={({ title }) => title}
            arrangement={AS_IT_COMES}
            onArrange={() => undefined}
            wideFrom="64em"
            none={null}
          />
        </div>
      </GrowingList>
    </Page>
  )
}
