/* e84d419e8edb40be4b39b6aedee56c66234af50cfc9f3630539cbe7a4d28482a */
(()=>{{let o;addEventListener("pointerdown",({target:e})=>{let t=document.querySelector(":is(:popover-open)");o=t&&!e.closest(`#${t.id}, [popovertarget=${t.id}]`)},!0);let r=e=>{!o||!e.detail||(e.preventDefault(),e.stopImmediatePropagation())};for(let e of["mousedown","click"])addEventListener(e,r,!0)}})();
