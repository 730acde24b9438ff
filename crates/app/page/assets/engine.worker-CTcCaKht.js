function e(e){return e instanceof Error?e.message:String(e)}let t=null;async function n(e,t){let n=await import(
/* @vite-ignore */
e);return await n.default({module_or_path:t}),n}function r(e){self.postMessage(e)}self.onmessage=async i=>{let a=i.data;try{`module`in a?(t=n(a.script,a.module),await t,r({ready:!0})):t&&((await t).answer(a.line),r({done:!0}))}catch(t){r({failed:e(t)})}};