import PhotoSwipe, { type SlideData } from 'photoswipe'
import { pictureOf, sourcesOf } from '../../../../contract/media-links.ts'
import type { FeedMedia } from '../api.ts'
import { viewerTexts as texts } from './texts.ts'
import styles from './ViewerWindow.module.css'

/** Times that a picture's link is renewed before it counts as broken. */
const MAX_RENEWALS = 2
/** Slides that are no pictures. */
const FILLED: ReadonlySet<string> = new Set(['video', 'locked'])

type ViewerOptions = {
  startIndex: number
  count: () => number
  itemAt: (index: number) => FeedMedia | undefined
  /** Asks for the item again, with links that work. */
  renew: (mediaId: string) => Promise<FeedMedia>
  onIndex: (index: number) => void
  /** The slide in sight is a video or locked, to be filled into this element; or it is neither. */
  onFilled: (slide: { mediaId: string; element: HTMLElement } | null) => void
  /** It goes away; this was shown last. */
  onLeave: (mediaId: string) => void
  onClosed: () => void
  /** No animations. */
  still: boolean
}

export type ViewerHandle = {
  /** The element that captions are filled into. */
  caption: HTMLElement
  destroy: () => void
  /** There are more items than the `before` that there were. */
  grown: (before: number) => void
  /** There are more items than those that are counted, or no longer. */
  mark: (more: boolean) => void
}

/** Opens PhotoSwipe over the page. Its slides follow `count` and `itemAt`, so that the list can grow meanwhile. */
export function openPhotoSwipe(options: ViewerOptions): ViewerHandle {
  const caption = document.createElement('div')
  const renewals = new Map<string, number>()
  const open = new AbortController()
  const viewer = new PhotoSwipe({
    index: options.startIndex,
    loop: false,
    wheelToZoom: true,
    bgOpacity: 1,
    bgClickAction: 'close',
    showHideAnimationType: options.still ? 'none' : 'fade',
    showAnimationDuration: 160,
    hideAnimationDuration: 160,
    errorMsg: texts.error,
    closeTitle: texts.close,
    zoomTitle: texts.zoom,
    arrowPrevTitle: texts.previous,
    arrowNextTitle: texts.next,
  })
  viewer.addFilter('numItems', options.count)
  viewer.addFilter('itemData', (_data, index) => slideOf(options.itemAt(index)))
  viewer.addFilter('contentErrorElement', (element, content) => {
    const mediaId: string = content.data.mediaId
    const renewed = renewals.get(mediaId) ?? 0
    const renew = () => {
      // While a new link is on its way nothing is said.
      element.textContent = ''
      options.renew(mediaId).then(
        () => element.isConnected && viewer.refreshSlideContent(content.index),
        () => say(),
      )
    }
    const again = () => {
      if (!element.isConnected || !element.hasChildNodes()) return
      renewals.delete(mediaId)
      renew()
    }
    const say = () => {
      element.replaceChildren(...failureOf(again))
      addEventListener('online', again, { once: true, signal: open.signal })
    }
    if (renewed < MAX_RENEWALS) {
      renewals.set(mediaId, renewed + 1)
      renew()
    } else say()
    return element
  })

  viewer.on('uiRegister', () => {
    viewer.ui?.registerElement({
      name: 'media-caption',
      appendTo: 'root',
      onInit: (element) => element.append(caption),
    })
  })
  viewer.on('change', () => options.onIndex(viewer.currIndex))
  viewer.on('keydown', (event) => {
    const { key, target } = event.originalEvent
    // The controls of a video have keys of their own.
    if (key !== 'Escape' && isControl(target)) event.preventDefault()
    else if (key === 'Home' || key === 'End') {
      // The page behind stays where it is.
      event.originalEvent.preventDefault()
      viewer.goTo(key === 'Home' ? 0 : options.count() - 1)
    }
  })
  viewer.on('contentAppend', ({ content }) => {
    const { element, data } = content
    if (data.type === 'video' && element && data.poster && !element.hasChildNodes())
      element.append(posterOf(data.poster))
  })
  viewer.on('contentActivate', ({ content }) => {
    options.onFilled(
      FILLED.has(content.type) && content.element
        ? { mediaId: content.data.mediaId, element: content.element }
        : null,
    )
  })
  // The controls of a video are dragged themselves; nothing must be swiped away under them.
  viewer.on('pointerDown', (event) => {
    if (isControl(event.originalEvent.target)) event.preventDefault()
  })

  // Taken away by the page, for example by the back button: then nobody is told that it closed.
  let dismissed = false
  viewer.on('destroy', () => {
    open.abort()
    options.onFilled(null)
    const last = options.itemAt(viewer.currIndex)
    if (last) options.onLeave(last._id)
    if (!dismissed) options.onClosed()
  })
  viewer.init()
  viewer.element?.setAttribute('aria-label', texts.label)
  return {
    caption,
    destroy: () => {
      dismissed = true
      // While it opens it lets nothing end it.
      viewer.on('openingAnimationEnd', () => viewer.destroy())
      viewer.destroy()
    },
    grown: (before) => {
      // At the end of the loaded items, people see that there is a next one.
      if (viewer.currIndex >= before - 1) viewer.refreshSlideContent(before)
    },
    mark: (more) => {
      viewer.element?.toggleAttribute('data-more', more)
    },
  }
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-viewer-controls]') !== null
}

/** That a picture is broken, and the button that tries again. */
function failureOf(onRetry: () => void): HTMLElement[] {
  const words = document.createElement('p')
  words.textContent = texts.error
  const button = document.createElement('button')
  button.type = 'button'
  button.className = styles.again ?? ''
  button.textContent = texts.tryAgain
  button.dataset.viewerControls = ''
  button.addEventListener('click', onRetry)
  return [words, button]
}

/** A video's poster before it plays, and while it is swiped past. A failed poster is no failure of the video. */
function posterOf(address: string): HTMLImageElement {
  const poster = new Image()
  poster.src = address
  poster.alt = ''
  poster.style.cssText = 'position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain'
  poster.onerror = () => poster.remove()
  return poster
}

function slideOf(media: FeedMedia | undefined): SlideData {
  if (!media) return { html: '' }
  if (media.locked) return { type: 'locked', mediaId: media._id, html: '' }
  if (media.type === 'video') return { type: 'video', mediaId: media._id, html: '', poster: pictureOf(media) }
  const sources = sourcesOf(media)
  const only = { url: media.url ?? '', width: media.width }
  const largest = sources.at(-1) ?? only
  const smallest = sources[0] ?? only
  return {
    mediaId: media._id,
    src: largest.url,
    srcset: sources.map(({ url, width }) => `${url} ${width}w`).join(', '),
    msrc: smallest.url,
    width: largest.width,
    height: Math.round((largest.width * media.height) / media.width),
    alt: media.title || texts.photo,
  }
}
