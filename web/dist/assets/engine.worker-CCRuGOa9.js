let e=null;async function t(e,t){let n=await import(
/* @vite-ignore */
e);return await n.default({module_or_path:t}),n}function n(e){self.postMessage(e)}self.onmessage=async r=>{let i=r.data;try{`module`in i?(e=t(i.script,i.module),await e,n({ready:!0})):e&&((await e).answer(i.line),n({done:!0}))}catch(e){n({failed:e instanceof Error?e.message:String(e)})}};