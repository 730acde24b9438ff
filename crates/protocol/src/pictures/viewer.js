(() => {
  const games = JSON.parse(document.getElementById('games').textContent);
  const part = (name) => document.getElementById(`viewer-${name}`);
  const viewer = document.getElementById('viewer');
  const SVG = 'http://www.w3.org/2000/svg';
  let game = 0;
  let ply = 0;
  let flipped = false;

  /** What stands where in a board of a FEN: names of squares with letters. */
  const read = (board) => {
    const ranks = board.split('/');
    const pieces = new Map();
    ranks.forEach((rank, down) => {
      let file = 0;
      for (const [token] of rank.matchAll(/\d+|./g)) {
        if (/\d/.test(token)) file += Number(token);
        else pieces.set(String.fromCharCode(97 + file++) + (ranks.length - down), token);
      }
    });
    return pieces;
  };

  const squares = (turn) => turn.match(/[a-k]\d+/g) ?? [];
  const fires = (clip, way) => !clip.k.startsWith('damone') && way.length > 2;

  const position = (clip, count) => {
    const pieces = read(clip.s);
    for (const [turn, changes] of clip.t.slice(0, count)) {
      const way = squares(turn);
      const piece = pieces.get(way[0]);
      pieces.delete(way[0]);
      if (piece) pieces.set(way[fires(clip, way) ? 1 : way.length - 1], piece);
      for (const [, square, letter] of changes.matchAll(/([a-k]\d+)(\D)/g)) {
        if (letter === '.') pieces.delete(square);
        else pieces.set(square, letter);
      }
    }
    return pieces;
  };

  const figure = (letter, clip) => {
    if (letter === '*') return clip.a ? 'burnt' : 'neutral';
    return (letter === letter.toLowerCase() ? 'b' : 'w') + letter.toLowerCase();
  };

  const number = (clip, at) => {
    const half = clip.p + at;
    return `${Math.floor(half / 2) + 1}${half % 2 ? '…' : '.'}`;
  };

  const element = (name, attributes, ...inside) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };

  const draw = () => {
    const clip = games[game];
    const [, columns, rows] = clip.k.split('-').map(Number);
    const place = (square) => {
      let column = square.charCodeAt(0) - 97;
      let row = rows - Number(square.slice(1));
      if (flipped) [column, row] = [columns - 1 - column, rows - 1 - row];
      return [column * 100 + 50, row * 100 + 50];
    };
    const drawing = document.getElementById(`ground-${clip.k}`).content.firstElementChild.cloneNode(true);
    if (flipped) {
      const names = [...drawing.querySelectorAll('.coordinates text')];
      const turn = (some) => {
        const texts = some.map((name) => name.textContent).reverse();
        for (const [at, name] of some.entries()) name.textContent = texts[at];
      };
      turn(names.slice(0, columns));
      turn(names.slice(columns));
    }
    const last = drawing.querySelector('.last');
    const way = ply > 0 ? squares(clip.t[ply - 1][0]) : [];
    const shoots = fires(clip, way);
    for (const [at, square] of way.entries()) {
      const [x, y] = place(square);
      const end = at === way.length - 1;
      const kind = at === 0 ? 'from' : end && shoots ? 'fire' : end || shoots ? 'to' : 'between';
      last.append(
        element('g', { class: kind },
          element('rect', { class: 'tint', x: x - 50, y: y - 50, width: 100, height: 100 }),
          element('rect', { class: 'edge', x: x - 46, y: y - 46, width: 92, height: 92, rx: 3 })),
      );
    }
    for (const [square, letter] of position(clip, ply)) {
      const [x, y] = place(square);
      drawing.querySelector('.pieces').append(element('use', { href: `#piece-${figure(letter, clip)}`, x, y }));
    }
    const name = ply > 0 ? `${number(clip, ply - 1)} ${clip.t[ply - 1][0]}` : 'Start of the game';
    const remark = ply > 0 ? clip.t[ply - 1][2] : '';
    const end = ply === clip.t.length ? clip.e : '';
    drawing.setAttribute('aria-label', `Board: ${name}`);
    part('picture').replaceChildren(drawing);
    part('said').textContent = [name, remark, end].filter(Boolean).join(' · ');
    part('ply').value = ply;
    part('ply').setAttribute('aria-valuetext', name);
    for (const [at, button] of [...part('turns').querySelectorAll('button')].entries()) {
      if (at + 1 === ply) {
        button.setAttribute('aria-current', 'true');
        const list = part('turns');
        // The list is what offsets are counted from.
        const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
        if (top < list.scrollTop) list.scrollTop = top;
        if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
      } else button.removeAttribute('aria-current');
    }
    for (const [name, off] of [['first', ply === 0], ['back', ply === 0],
      ['on', ply === clip.t.length], ['last', ply === clip.t.length]]) part(name).disabled = off;
    for (const row of document.querySelectorAll('tr.now')) row.classList.remove('now');
    for (const name of [`t${game + 1}-${ply}`, `t${game + 1}`]) document.getElementById(name)?.classList.add('now');
  };

  const go = (to) => {
    ply = Math.max(0, Math.min(games[game].t.length, to));
    draw();
  };

  const open = (which, at) => {
    game = Math.max(0, Math.min(games.length - 1, which));
    const clip = games[game];
    part('title').textContent = clip.n;
    part('ply').max = clip.t.length;
    part('turns').replaceChildren(...clip.t.map(([turn], index) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.type = 'button';
      const count = document.createElement('span');
      count.textContent = number(clip, index);
      if ((clip.p + index) % 2) item.className = 'black';
      button.append(count, ` ${turn}`);
      button.addEventListener('click', () => go(index + 1));
      item.append(button);
      return item;
    }));
    go(at);
  };

  const follow = () => {
    const found = /^#g(\d+)-(\d+)$/.exec(location.hash);
    if (!found) return false;
    open(Number(found[1]) - 1, Number(found[2]));
    viewer.scrollIntoView();
    return true;
  };

  if (games.length === 0) return;
  viewer.hidden = false;
  part('first').addEventListener('click', () => go(0));
  part('back').addEventListener('click', () => go(ply - 1));
  part('on').addEventListener('click', () => go(ply + 1));
  part('last').addEventListener('click', () => go(games[game].t.length));
  part('turn').addEventListener('click', () => {
    flipped = !flipped;
    part('turn').setAttribute('aria-pressed', String(flipped));
    draw();
  });
  part('ply').addEventListener('input', (event) => go(Number(event.target.value)));
  viewer.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === part('ply')) return;
    const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: games[game].t.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  addEventListener('hashchange', () => follow());
  // The same address twice is no change, but a wish all the same.
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="#g"]');
    if (link && link.hash === location.hash) follow();
  });
  if (!follow()) open(0, 0);
})();
