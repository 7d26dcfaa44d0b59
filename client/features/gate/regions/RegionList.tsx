import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { formatDate } from '../../../ui/format.ts'
import { formatCountry } from '../../../ui/format-occasional.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { AS_IT_COMES } from '../../../ui/table/arrange.ts'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { type Region, regionsQuery } from './api.ts'
import { RegionDialog } from './RegionDialog.tsx'
import { RemoveRegion } from './RemoveRegion.tsx'
import styles from './regions.module.css'
import { texts } from './texts.ts'

const words = texts.list
const keyOf = ({ country, code }: Region) => `${country}-${code}`
const countryOf = ({ country }: Region) => country

/** Every restricted region, with who changed it last. */
export function RegionList() {
  const regions = useQuery(regionsQuery)
  return (
    <Fetched query={regions} waiting={<SkeletonLines lines={8} />} failed={words.failed}>
      {({ items }) => <Regions items={items} />}
    </Fetched>
  )
}

function Regions({ items }: { items: readonly Region[] }) {
  const [arrangement, setArrangement] = useState(AS_IT_COMES)
  const [changed, setChanged] = useState<Region | null>(null)
  const [removed, setRemoved] = useState<Region | null>(null)
  const columns = useMemo(() => columnsFor({ onChange: setChanged, onRemove: setRemoved }), [])
  if (items.length === 0) return <EmptyState title={words.none}>{words.noneWhy}</EmptyState>
  const countries = [...new Set(items.map(countryOf))]
  return (
    <>
      <DataTable
        label={words.label}
        rows={items}
        columns={columns}
        keyOf={keyOf}
        nameOf={({ name }) => name}
        arrangement={arrangement}
        onArrange={setArrangement}
        searchLabel={words.search}
        {...(countries.length > 1
          ? {
              groups: {
                label: words.country,
                all: words.allCountries,
                of: countryOf,
                options: countries.map((value) => ({ value, label: formatCountry(value) })),
              },
            }
          : {})}
        none={<EmptyState title={words.noResults(arrangement.search)}>{words.noResultsWhy}</EmptyState>}
      />
      {changed && <RegionDialog region={changed} onClose={() => setChanged(null)} />}
      {removed && <RemoveRegion region={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

type RowActions = { onChange: (region: Region) => void; onRemove: (region: Region) => void }

function columnsFor({ onChange, onRemove }: RowActions): Column<Region>[] {
  return [
    {
      id: 'name',
      header: words.region,
      value: ({ name }) => name,
      text: ({ name, code, vpnHint }) => `${name} ${code} ${vpnHint ? '' : words.noVpn}`,
      cell: ({ name, code, vpnHint }) => (
        <>
          <span className={styles.name}>{name}</span> <span className={styles.change}>{code}</span>{' '}
          {!vpnHint && <Tag tone="warning">{words.noVpn}</Tag>}
        </>
      ),
      width: '32%',
      card: 'title',
    },
    {
      id: 'country',
      header: words.country,
      value: ({ country }) => formatCountry(country),
      text: ({ country }) => formatCountry(country),
      cell: ({ country }) => formatCountry(country),
      width: '16%',
      card: 'note',
    },
    {
      id: 'changed',
      header: words.changed,
      value: ({ changed }) => changed?.at ?? '',
      order: 'past',
      text: changeOf,
      cell: (region) => (
        <span className={styles.change} title={changeOf(region)}>
          {changeOf(region)}
        </span>
      ),
      card: 'note',
    },
    {
      id: 'actions',
      header: words.actions,
      cell: (region) => (
        <span className={styles.actions}>
          <Button
            variant="subtle"
            size="compact-md"
            aria-label={words.changeOf(region.name)}
            onClick={() => onChange(region)}
          >
            <IconPencil size={20} stroke={1.5} aria-hidden />
            <span className={styles.word}>{words.change}</span>
          </Button>
          <Button
            variant="subtle"
            color="red"
            size="compact-md"
            aria-label={words.removeOf(region.name)}
            onClick={() => onRemove(region)}
          >
            <IconTrash size={20} stroke={1.5} aria-hidden />
            <span className={styles.word}>{words.remove}</span>
          </Button>
        </span>
      ),
      width: '13rem',
      card: 'value',
    },
  ]
}

function changeOf({ changed }: Region): string {
  if (!changed) return words.shipped
  return `${changed.by}, ${formatDate(changed.at)}: ${changed.reason}`
}
