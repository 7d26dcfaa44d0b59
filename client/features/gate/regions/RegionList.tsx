import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { formatDate } from '../../../ui/format.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { type Region, regionsQuery } from './api.ts'
import { byCountry } from './countries.ts'
import { RegionDialog } from './RegionDialog.tsx'
import { RemoveRegion } from './RemoveRegion.tsx'
import styles from './regions.module.css'

/** Every restricted region under its country, with who changed it last. */
export function RegionList() {
  const { data, error, refetch } = useQuery(regionsQuery)
  const [changed, setChanged] = useState<Region | null>(null)
  const [removed, setRemoved] = useState<Region | null>(null)
  if (error) {
    return <ErrorState title="The list could not be loaded" error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonLines lines={8} />
  if (data.items.length === 0) {
    return (
      <EmptyState title="No region is restricted">
        Everybody sees content after saying to be 18 or older.
      </EmptyState>
    )
  }
  return (
    <>
      {byCountry(data.items).map(({ name, regions }) => (
        <section key={name} aria-label={name} className={styles.country}>
          <h2 className={styles.countryName}>
            {name} <span className={styles.count}>{regions.length}</span>
          </h2>
          <ul className={styles.list}>
            {regions.map((region) => (
              <li key={region.code} className={styles.region}>
                <div className={styles.words}>
                  <p className={styles.name}>
                    {region.name} <span className={styles.code}>{region.code}</span>{' '}
                    {!region.vpnHint && <Tag tone="warning">No word of VPNs</Tag>}
                  </p>
                  <p className={styles.change}>{changeOf(region)}</p>
                </div>
                <div className={styles.actions}>
                  <Button
                    variant="subtle"
                    size="compact-md"
                    aria-label={`Change ${region.name}`}
                    onClick={() => setChanged(region)}
                  >
                    Change
                  </Button>
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-md"
                    aria-label={`Remove ${region.name}`}
                    onClick={() => setRemoved(region)}
                  >
                    Remove
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {changed && <RegionDialog region={changed} onClose={() => setChanged(null)} />}
      {removed && <RemoveRegion region={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

function changeOf({ changed }: Region): string {
  if (!changed) return 'Came with the software'
  const day = formatDate(changed.at)
  return `${changed.by}, ${day}: ${changed.reason}`
}
