import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type GeoBlock, geoBlockQuery, useSetGeoBlock } from '../api.ts'

const PlacePickers = lazyPart(
  () => import('./PlacePickers.tsx').then((module) => module.default),
  <SkeletonLines lines={3} />,
)

/** The places from which a creator can't be seen. */
export function GeoBlockForm() {
  const stored = useQuery(geoBlockQuery)
  const set = useSetGeoBlock()
  const [changed, setChanged] = useState<GeoBlock | null>(null)
  if (stored.isPending) return <SkeletonLines lines={3} />
  if (stored.isError) {
    return (
      <ErrorState
        title="Your places could not be loaded"
        error={stored.error}
        onRetry={() => void stored.refetch()}
      />
    )
  }
  const submit = () =>
    set.mutate(changed ?? stored.data, {
      onSuccess: () => {
        setChanged(null)
        toast.success('Saved. It counts from now on.')
      },
    })
  return (
    <Form onSubmit={submit}>
      <p>
        Nobody in these places finds your profile, your media or what you sell. Who bought from you keeps what
        they bought.
      </p>
      <PlacePickers places={changed ?? stored.data} onChange={setChanged} />
      <FormError>{set.error ? errorMessage(set.error) : null}</FormError>
      <div>
        <Button type="submit" loading={set.isPending} disabled={changed === null}>
          Save places
        </Button>
      </div>
    </Form>
  )
}
